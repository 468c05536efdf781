"""Files are text: no command executes code of a file that its row in the table does not name.

Every command reads files with a canary: code that makes a file when it is executed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tvm_ffi

import tvmscript
from tvmscript.cli import COMMANDS, main
from tvmscript.cli.execution import EXECUTES, NOTHING

PAGE = Path(__file__).parents[3] / "grammar_docs" / "cli.md"
#: calls that make the file `path`, each by another way out of the program
CALLS = {
    "call_extern": 'T.evaluate(T.call_extern("int32", "creat", {path!r}, 420))',
    "call_pure_extern": 'N[0] = T.call_pure_extern("int32", "creat", {path!r}, 420)',
    "call_packed": 'T.evaluate(T.call_packed("test.canary", {path!r}))',
    "call_cpacked": 'T.evaluate(T.call_cpacked("test.canary", {path!r}))',
    "in a condition": 'if T.call_extern("int32", "creat", {path!r}, 420) == 0:\n            N[0] = 1',
    "in a loop": 'for k in range(T.call_extern("int32", "creat", {path!r}, 420)):\n            N[0] = 1',
    "in an index": 'N[T.max(0, T.min(0, T.call_extern("int32", "creat", {path!r}, 420)))] = 1',
    "in a shape": 'B = T.decl_buffer((T.call_extern("int32", "creat", {path!r}, 420),), "int32", data=N.data)\n'
    "        B[0] = 1",
    "in an assertion": 'assert T.call_extern("int32", "creat", {path!r}, 420) != -2, "no"',
    "in a branch": 'if N[0] == 77:\n            T.evaluate(T.call_extern("int32", "creat", {path!r}, 420))',
}  # fmt: skip
KERNEL = """\
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((SIZE,), "float32"), N: T.Buffer((1,), "int32")):
    with T.block("root"):
        CALL
        for i in range(SIZE):
            with T.block("b"):
                vi = T.axis.spatial(SIZE, i)
                A[vi] = A[vi] + T.float32(1)
"""
#: the interpreter is too slow for this one, so values are compared with compiled code
LARGE = 1 << 18
#: a Python file whose program captures a value, so that it can only be read by executing the file
PYTHON = """\
from pathlib import Path
import tvmscript
from tvmscript.script import tir as T
Path(PATH).touch()
SIZE = len("four")

@T.prim_func
def f(A: T.Buffer((SIZE,), "float32")):
    for i in range(SIZE):
        A[i] = A[i] + T.float32(1)
"""
#: changes the program, so that values are compared
STEPS = [["GetBlock", [], ["b", "main"], ["b0"]], ["GetLoops", ["b0"], [], ["l0"]], ["Unroll", ["l0"], [], []]]
TRACE = json.dumps([STEPS, []])
#: subcommand -> its invocations on a file, without any permission to execute
INVOCATIONS: dict[str, list[str]] = {
    "bisect": ["FILE", "FILE --no-code", "FILE --trace TRACE", "FILE -p tir.Simplify"],
    "check": ["FILE", "FILE --roundtrip --bounds --race --json"],
    "race": ["FILE", "FILE --json"],
    "print": ["FILE", "FILE --dialect 0.27"],
    "fuzz": [],
    "fmt": ["FILE --check", "FILE"],
    "convert": ["FILE --to 0.27", "FILE --to 0.17"],
    "diff": ["FILE FILE", "FILE OTHER --json"],
    "explain": [],
    "reduce": ["FILE --fails false -o OUT"],
    "schedule": ["FILE --trace TRACE", "FILE --trace TRACE --check values", "FILE --trace TRACE --steps --seed 1"],
    "lower": ["FILE", "FILE --check roundtrip,wellformed", "FILE --check values", "FILE --target cuda", "FILE --time"],
    "opt": ["FILE -p tir.Simplify", "FILE -p tir.Simplify --check roundtrip,wellformed"],
    "passes": [],
    "explore": ["FILE -o OUT"],
    "cache": ["why FILE", "ls"],
    "bench": [],
    "report": [],
    "run": [],
}
#: how the commands that execute are told to, with the kernels of each that they then run
PERMITTED = {
    "bisect": "FILE --run",
    "schedule": "FILE --trace TRACE --check values --run",
    "race": "FILE --run",
    "bench": "FILE --seconds 0.01",
    "run": "FILE",
    "print": "PYTHON --run",
    "diff": "PYTHON OTHER --run",
}


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    def touch(path: Any) -> None:
        Path(str(path)).touch()

    tvm_ffi.register_global_func("test.canary", touch, override=True)
    return tmp_path / "canary"


def invoke(command: str, words: str, folder: Path, text: str, python: str) -> int:
    files = {"FILE": text, "OTHER": text.replace("T.float32(1)", "T.float32(2)"), "TRACE": TRACE, "PYTHON": python}
    paths = {"OUT": str(folder / "out")}
    for name, content in files.items():
        paths[name] = str(folder / f"{name.lower()}.{'json' if name == 'TRACE' else 'py'}")
        Path(paths[name]).write_text(content)
    try:
        return main([command, *(paths.get(word, word) for word in words.split())])
    except SystemExit as error:
        raise AssertionError(f"the options of {command} {words} are wrong") from error


def test_every_command_has_a_row() -> None:
    """A new command says what it executes, and is invoked here."""
    assert list(EXECUTES) == list(COMMANDS)
    assert list(INVOCATIONS) == list(COMMANDS)
    page = PAGE.read_text()
    for name, executed in EXECUTES.items():
        assert (f"| `{name}` | {executed} |" in page) == (executed != NOTHING)


def test_help_has_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert all(executed in shown for executed in EXECUTES.values())
    for name in COMMANDS:
        with pytest.raises(SystemExit):
            main([name, "--help"])
        assert f"Executes of files: {EXECUTES[name]}." in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("size", [4, LARGE], ids=["small", "large"])
@pytest.mark.parametrize(
    ("command", "words"), [(command, words) for command, rows in INVOCATIONS.items() for words in rows]
)
def test_kernels_are_not_executed(
    command: str, words: str, size: int, canary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if command == "reduce" and size == LARGE:
        pytest.skip("executes nothing of the file, whatever its size")
    for name, call in CALLS.items():
        text = KERNEL.replace("SIZE", str(size)).replace("CALL", call.format(path=str(canary)))
        invoke(command, words, canary.parent, text, "")
        assert not canary.exists(), name
        if ("values" in words and command == "schedule") or command == "bisect":
            assert "TS7023" in capsys.readouterr().err, name


@pytest.mark.parametrize(
    ("command", "words"), [(command, words) for command, rows in INVOCATIONS.items() for words in rows]
)
def test_python_is_not_executed(command: str, words: str, canary: Path) -> None:
    invoke(command, words, canary.parent, PYTHON.replace("PATH", repr(str(canary))), "")
    assert not canary.exists()


GRAPH = """
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    z = R.call_pure_packed("test.canary", R.str("PATH"), sinfo_args=R.Tensor((4,), "float32"))
    return y
"""


@pytest.mark.parametrize(
    ("command", "words"),
    [("bisect", "FILE"), ("bisect", "FILE --run"), ("opt", "FILE -p relax.LegalizeOps --check values")],
)
def test_packed_functions_of_graphs_are_not_executed(command: str, words: str, canary: Path) -> None:
    assert invoke(command, words, canary.parent, GRAPH.replace("PATH", str(canary)), "") == 0
    assert not canary.exists()


@pytest.mark.parametrize("call", ["call_extern", "call_packed"])
@pytest.mark.parametrize("command", ["bisect", "schedule", "bench", "run", "race"])
def test_permission(command: str, call: str, canary: Path) -> None:
    """The canary sings where it may."""
    if (command, call) == ("race", "call_extern"):
        pytest.skip("the interpreter has no C functions")
    size = LARGE if command == "schedule" else 4
    line = CALLS[call].format(path=str(canary))
    if command == "bisect":
        line = only_compiled(line)
    invoke(command, PERMITTED[command], canary.parent, KERNEL.replace("SIZE", str(size)).replace("CALL", line), "")
    assert canary.exists()


def only_compiled(line: str) -> str:
    """Return a statement that the interpreter skips, since the last bit of its exp is another one."""
    text = """@T.prim_func
def f(A: T.Buffer((4000,), "float32"), B: T.Buffer((4000,), "float32")):
    for i in range(4000):
        B[i] = T.exp(A[i])
"""
    arguments = np.linspace(-5, 5, 4000, dtype="float32")
    results = [np.zeros(4000, "float32") for _ in range(2)]
    for target, result in zip(("interp", "llvm"), results, strict=True):
        tvmscript.build(tvmscript.from_source(text), target=target)["f"](arguments, result)
    place = int(np.flatnonzero(results[0] != results[1])[0])
    given, compiled = float(arguments[place]), float(results[1][place])
    return f"A[0] = T.float32({given!r})\n        if T.exp(A[0]) == T.float32({compiled!r}):\n            {line}"


@pytest.mark.parametrize("command", ["print", "diff"])
def test_permission_of_python(command: str, canary: Path) -> None:
    text = PYTHON.replace("PATH", repr(str(canary)))
    invoke(command, PERMITTED[command], canary.parent, text, text)
    assert canary.exists()


def test_refusal_names_the_call(canary: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = KERNEL.replace("SIZE", "4").replace("CALL", CALLS["call_extern"].format(path=str(canary)))
    assert invoke("bisect", "FILE", canary.parent, text, "") == 2
    told = capsys.readouterr().err
    assert "TS7023" in told
    assert "creat" in told
    assert ":6:" in told
    assert "--run" in told


def test_functions_of_c_that_are_operators_need_no_permission(canary: Path) -> None:
    call = 'N[0] = T.Cast("int32", T.call_pure_extern("float32", "expf", A[0]))'
    text = KERNEL.replace("SIZE", "4").replace("CALL", call)
    assert invoke("bisect", "FILE", canary.parent, text, "") == 0
