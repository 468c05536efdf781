"""Error cases: `# error: CODE "text"` stands on the line of the error, which begins at that text.

Below `# output` is what a reader is shown. `UPDATE_GOLDEN=1 pytest` writes it anew: read what it wrote.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tests.golden import is_updating
from tvmscript import T
from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError, WrongType
from tvmscript.ir.tir.errors import RULES, UndefinedFunction, UndetectableAccess
from tvmscript.parser.diagnostics import errors
from tvmscript.parser.source import tree

CASES = sorted((Path(__file__).parents[3] / "cases" / "errors").glob("*.py"))
OUTPUT = "\n\n# output\n"
MARK = re.compile(r"# error: (TS\d+) (\"|')(.*)\2")

#: Classes that no text alone can raise; tests below raise them.
ELSEWHERE = {errors.TextTooLarge, errors.NoSource, errors.Refused}


def name(path: Path) -> str:
    return path.stem


def expected(text: str) -> list[tuple[str, int, int]]:
    """Code, line and column that each mark tells."""
    return [
        (found[1], number, line.index(found[3]) + 1)
        for number, line in enumerate(text.partition(OUTPUT)[0].splitlines(), 1)
        if (found := MARK.search(line)) is not None
    ]


def run(path: Path, folder: Path) -> None:
    """Read the text of a case; `# decorated` ones are run by Python, out of a file in this folder."""
    text = path.read_text().partition(OUTPUT)[0]
    if not text.startswith("# decorated"):
        tvmscript.from_source(text)
        return
    copy = folder / path.name
    copy.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, copy)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


@pytest.mark.parametrize("path", CASES, ids=name)
def test_errors(path: Path, tmp_path: Path) -> None:
    with pytest.raises(DiagnosticError) as caught:
        run(path, tmp_path)
    error = caught.value
    text, _, output = path.read_text().partition(OUTPUT)
    assert [(item.code, item.line, item.column) for item in error.errors] == expected(text)
    shown = str(error).replace(str(tmp_path / path.name), path.name)
    if is_updating():
        path.write_text(text.rstrip("\n") + OUTPUT + shown + "\n")
    else:
        assert shown + "\n" == output


def test_every_class_has_a_case() -> None:
    classes: set[type[TVMScriptError]] = {
        item
        for item in vars(errors).values()
        if isinstance(item, type) and issubclass(item, DiagnosticError) and item is not DiagnosticError
    }
    codes = {item.code for item in classes - ELSEWHERE}
    codes |= {UndetectableAccess.code} | {rule.code for rule in RULES if rule is not UndefinedFunction}
    covered = {code for path in CASES for code, _, _ in expected(path.read_text())}
    assert codes <= covered


def test_texts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MAX_CHARACTERS", 10)
    with pytest.raises(errors.TextTooLarge):
        tvmscript.from_source("# longer than ten characters")


def test_only_text_is_read() -> None:
    with pytest.raises(WrongType, match="takes a string, but got NoneType"):
        tvmscript.from_source(None)  # type: ignore[arg-type]


def test_no_source() -> None:
    space: dict[str, Any] = {}
    code = "from tvmscript import T\n@T.prim_func\ndef f(n: T.int32):\n    T.evaluate(n)\n"
    with pytest.raises(errors.NoSource) as caught:
        exec(compile("# lost\n" + code, "<nowhere>", "exec"), space)
    assert "from_source" in str(caught.value)


def test_errors_of_the_ir_become_diagnostics() -> None:
    text = '@T.prim_func\ndef f(A: T.Buffer((4,), "float32")):\n    A[0, 0] = 1.0\n'
    with pytest.raises(errors.Refused) as caught:
        tvmscript.from_source(text)
    assert caught.value.code == "TS1005"


def test_a_user_sees_no_frames_of_the_reader() -> None:
    """Neither behind a decorator nor in front of it, where Python would show what the error was made of."""
    code = 'from tvmscript import T\n@T.prim_func\ndef f(A: T.Buffer((4,), "float32")):\n    A[0, 0] = 1.0\n'
    shown = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True).stderr
    assert "A[0, 0] = 1.0" in shown
    assert "direct cause" not in shown
    assert shown.count('File "') == 3


def test_what_python_raised_is_the_cause() -> None:
    def fails(value: Any) -> Any:
        raise ValueError("no")

    with pytest.raises(errors.PythonFailed) as caught:

        @T.prim_func
        def f(A: T.Buffer((4,), "float32")):  # type: ignore[no-untyped-def, valid-type]
            A[0] = fails(1)

    assert isinstance(caught.value.__cause__, ValueError)


def opens(value: Any) -> None:
    T.If(value > 1).__enter__()


def closes_early(value: Any) -> None:
    outer = T.While(value > 1)
    outer.__enter__()
    T.attr(0, "note", 1).__enter__()
    outer.__exit__(None, None, None)


def closes_what_is_closed(value: Any) -> None:
    frame = T.While(value > 1)
    with frame:
        T.evaluate(0)
    frame.__exit__(None, None, None)


@pytest.mark.parametrize("helper", [opens, closes_early, closes_what_is_closed])
def test_frames_that_python_leaves_open(helper: Any) -> None:
    with pytest.raises(errors.InvalidOperation, match="frame"):

        @T.prim_func
        def f(n: T.int32):  # type: ignore[no-untyped-def]
            helper(n)


def fails_after_closing(frame: Any) -> None:
    frame.__exit__(None, None, None)
    raise ValueError("no")


def opened_loop(count: int) -> Any:
    loop: Any = T.serial(count)
    loop.__enter__()
    return loop


def test_an_else_behind_a_frame_that_stays_open() -> None:
    with pytest.raises(DiagnosticError) as caught:

        @T.prim_func
        def f(n: T.int32) -> None:
            if n < 1:
                opens(n)
            else:
                T.evaluate(nope)  # type: ignore[name-defined]  # noqa: F821

    assert [error.code for error in caught.value.errors] == ["TS2025", "TS2003"]


def test_errors_between_two_helpers() -> None:
    """Frames stay open after a statement that fails, and closed where it has closed them."""
    with pytest.raises(DiagnosticError) as caught:

        @T.prim_func
        def f(n: T.int32):  # type: ignore[no-untyped-def]
            first = T.meta_var(opened_loop(4))
            T.evaluate(nope)  # type: ignore[name-defined]  # noqa: F821
            fails_after_closing(first)
            second = T.meta_var(opened_loop(4))
            first.__exit__(None, None, None)
            second.__exit__(None, None, None)

    assert [error.code for error in caught.value.errors] == ["TS2003", "TS2029", "TS2025"]


def test_f_strings_are_bounded() -> None:
    doubled = "".join(f'    x{k + 1} = T.meta_var(f"{{x{k}}}{{x{k}}}")\n' for k in range(60))
    text = f'@T.prim_func\ndef f():\n    x0 = T.meta_var("abc")\n{doubled}    T.evaluate(0)\n'
    with pytest.raises(errors.ValueTooLarge) as caught:
        tvmscript.from_source(text)
    assert caught.value.facts["what"] == "an f-string"


def test_proposals() -> None:
    header = '@T.prim_func\ndef f(A: T.Buffer((4,), "float32"), length: T.int32):\n    '
    for body, proposal in (
        ("A[lenght] = 1.0", "did you mean length?"),
        ("A[0] = T.sqrtt(A[0])", "did you mean T.sqrt?"),
        ("A[0] = exp(A[0])", "write T.exp"),
        ("A[max(length, 1)] = 1.0", "write T.max"),
        ("A[length ** 2] = 1.0", "write T.pow(a, b)"),
    ):
        with pytest.raises(DiagnosticError) as caught:
            tvmscript.from_source(header + body)
        assert caught.value.hint == proposal


def test_notes_point_at_other_places() -> None:
    header = '@T.prim_func\ndef f(A: T.Buffer((4,), "float32")):\n'
    text = header + "    x = T.int32()\n    with T.let(x, 1):\n        A[x] = 1.0\n    A[x] = 2.0\n"
    with pytest.raises(DiagnosticError) as caught:
        tvmscript.from_source(text)
    ((span, note),) = caught.value.notes
    assert span is not None
    assert span.line == 4
    assert "defined here" in note
    assert str(caught.value).count("-->") == 2
