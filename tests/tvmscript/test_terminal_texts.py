"""What a text contains is shown on a terminal, never obeyed: escape sequences, direction marks, carriage returns."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tvmscript
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.visible import visible
from tvmscript.ir.tir.expr import StringImm, Var
from tvmscript.ir.tir.stmt import Evaluate
from tvmscript.printer.highlight import show_text

HOSTILE = ["\x1b[2J", "\x1b]0;title\x07", "\u202e", "\u2066", "\x9b31m", "\x08", "\x7f", "\u200f", "\u2028"]
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
#: colors that the package writes itself
COLORS = re.compile(r"\x1b\[[\d;]*m")

#: a text with a hostile part, well-formed or not
TEXTS = {
    "comment": "@T.prim_func\ndef f(n: T.int32):\n    # before {}\n    T.evaluate(n)  # beside {}\n",
    "string statement": '@T.prim_func\ndef f(n: T.int32):\n    """text {}"""\n    T.evaluate(n)\n',
    "string": '@T.prim_func\ndef f(n: T.int32):\n    T.evaluate("{}")\n    T.func_attr({{"{}": "{}"}})\n',
    "attribute": '@T.prim_func\ndef f(n: T.int32):\n    T.func_attr({{"{}": "{}"}})\n    T.evaluate(n)\n',
    "block": '@T.prim_func\ndef f(A: T.Buffer((4,), "float32")):\n    with T.block("{}"):\n        A[0] = 1.0\n',
    "error beside": "@T.prim_func\ndef f(n: T.int32):\n    T.evaluate(m)  # {}\n",
    "error in a string": '@T.prim_func\ndef f(n: T.int32):\n    T.evaluate(n["{}"])\n',
    "dtype": '@T.prim_func\ndef f(A: T.Buffer((4,), "{}")):\n    T.evaluate(0)\n',
    "target": '@T.prim_func\ndef f(n: T.int32):\n    T.func_attr({{"target": T.target("{}")}})\n    T.evaluate(n)\n',
    "keyword": '@T.prim_func\ndef f(n: T.int32):\n    T.evaluate(n, **{{"{}": 1}})\n',
    "syntax": "@T.prim_func\ndef f(n: T.int32):\n    T.evaluate(n {})\n",
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_programs_and_errors(name: str, hostile: str) -> None:
    text = TEXTS[name].replace("{}", hostile).replace("{{", "{").replace("}}", "}")
    try:
        program = tvmscript.from_source(text)
    except TVMScriptError as error:
        shown = str(error)
        assert "error[" in shown
    else:
        shown = program.script()
        assert tvmscript.from_source(shown).script() == shown
        other = tvmscript.from_source(text.replace("n: T.int32", "n: T.int64").replace("1.0", "2.0"))
        shown += tvmscript.diff(program, other, names=(f"a {hostile}", "b")).text()
    assert not OBEYED.search(shown)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_names_and_labels(hostile: str) -> None:
    node = Evaluate(Var(f"x{hostile}", "int32"))
    assert not OBEYED.search(node.script() + StringImm(hostile).script())
    difference = tvmscript.diff(Evaluate(Var("y", "int64")), node, names=(hostile, "b"))
    assert not OBEYED.search(COLORS.sub("", difference.text(color=True)))
    error = TVMScriptError(text=hostile, hint=hostile, notes=[(None, hostile)])
    assert not OBEYED.search(str(error))


@given(st.text(st.one_of(st.characters(), st.sampled_from("".join(HOSTILE)))))
@example("\ud800\t\n")
def test_visible(text: str) -> None:
    shown = visible(text)
    assert not OBEYED.search(shown)
    assert visible(shown) == shown
    assert shown.encode().decode() == shown
    assert len(shown.splitlines()) <= len(text.split("\n"))


def test_carets_stand_under_escaped_text() -> None:
    with pytest.raises(TVMScriptError) as caught:
        tvmscript.from_source('@T.prim_func\ndef f(n: T.int32):\n    "\x1b\u202e"; T.evaluate(m)\n')
    lines = str(caught.value).splitlines()
    place = next(place for place, line in enumerate(lines) if line.lstrip(" |").startswith("^"))
    assert lines[place - 1][lines[place].index("^")] == "m"


def test_scripts_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    show_text("# \x1b[2J")
    assert capsys.readouterr().out == "# \x1b[2J\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    show_text("# \x1b[2J")
    assert capsys.readouterr().out == "# \\x1b[2J\n"


@pytest.mark.parametrize("command", [["check"], ["print"], ["fmt", "--diff"], ["diff"]])
def test_command_line(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("@T.prim_func\ndef f(n: T.int32):\n    T.evaluate( m )  # \x1b[2J \u202e\n")
    arguments = [sys.executable, "-m", "tvmscript", *command, str(path), *([str(path)] if command == ["diff"] else [])]
    ran = subprocess.run(arguments, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert ran.stderr
    assert not OBEYED.search(ran.stderr)
