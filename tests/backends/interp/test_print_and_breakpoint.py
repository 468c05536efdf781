"""`print` and `breakpoint()` in kernels: they run with the kernel, at the user's lines."""

from __future__ import annotations

import inspect
import linecache
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tvmscript import T
from tvmscript.backends import interp, llvm
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.runtime.errors import Unsupported
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.pipeline import lower_for_llvm
from tvmscript.parser import from_source
from tvmscript.testing import roundtrip


def kernel(line: str, parameters: str = 'A: T.Buffer((4,), "float32")') -> Any:
    return from_source(f"@T.prim_func\ndef f({parameters}):\n    for i in range(2):\n        {line}\n")


def output(line: str, capsys: pytest.CaptureFixture[str], *args: Any, **parameters: str) -> list[str]:
    func = kernel(line, **parameters)
    roundtrip(func)
    roundtrip(func, dialect="0.27")
    assert not capsys.readouterr().out
    interp.build(func)["f"](*(args or (np.array([0.1, 1e-7, 3, 4], "float32"),)))
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("print()", ["<text>:4: "] * 2),
        ('print("x", A[i])', ["<text>:4: x 0.1", "<text>:4: x 1e-07"]),
        ('print(f"{i=} {A[i]=}")', ["<text>:4: i=0 A[i]=0.1", "<text>:4: i=1 A[i]=1e-07"]),
        ('print(f"{A[i]:.2f}|{i:3d}")', ["<text>:4: 0.10|  0", "<text>:4: 0.00|  1"]),
        ('print("{}", i + 1, 2, sep="{")', ["<text>:4: {}{1{2", "<text>:4: {}{2{2"]),
        ("print(A[2:4], i == 1)", ["<text>:4: [3.0, 4.0] False", "<text>:4: [3.0, 4.0] True"]),
        ('T.print("{{{:>4}}}", i)', ["<text>:4: {   0}", "<text>:4: {   1}"]),
    ],
)
def test_print(line: str, expected: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert output(line, capsys) == expected


def test_print_of_other_dtypes(capsys: pytest.CaptureFixture[str]) -> None:
    found = output(
        "print(A[i], A.data, n, b)",
        capsys,
        np.array([0.1, 2], "float16"),
        -3,
        True,
        parameters='A: T.Buffer((2,), "float16"), n: T.int8, b: T.bool',
    )
    assert found == [f"<text>:4: {value} <byte 0 of A> -3 True" for value in ("0.1", "2.0")]


def test_printing_in_decorated_functions(capsys: pytest.CaptureFixture[str]) -> None:
    known = {"size": 4}

    @T.prim_func
    def f(A: T.Buffer((4,), "float32")) -> None:  # type: ignore[valid-type]
        print("reads", known, f"{known['size']:03d}")
        A[0] = T.float32(1)

    assert not capsys.readouterr().out
    line = test_printing_in_decorated_functions.__code__.co_firstlineno + 5
    interp.build(f)["f"](np.zeros(4, "float32"))
    assert capsys.readouterr().out == f"{Path(__file__).name}:{line}: reads {{'size': 4}} 004\n"


@pytest.mark.parametrize(
    ("line", "code", "text"),
    [
        ("print(A)", "TS2012", "write an element or a slice: A[0:4]"),
        ("print(i, end='')", "TS2012", "end=... is not supported, only sep"),
        ("print(i, sep=3)", "TS2012", "sep=... is not supported, only sep, a string"),
        ("print(**{})", "TS2012", "only sep"),
        ("print(*[i])", "TS2001", "list the values"),
        ('T.print("{} {}", i)', "TS1005", "2 values"),
        ('T.print("{0}", i)', "TS1004", "no field for the next value"),
        ('T.print("{", i)', "TS1004", "fields"),
        ("T.print(i)", "TS1004", "a text first"),
        ("breakpoint(1)", "TS2012", "breakpoint"),
    ],
)
def test_refused(line: str, code: str, text: str) -> None:
    with pytest.raises(TVMScriptError) as caught:
        kernel(line)
    assert text in caught.value.render()
    assert caught.value.span is not None


def test_outside_of_functions() -> None:
    for line in ("print(x)", "breakpoint()"):
        with pytest.raises(TVMScriptError, match="must be inside a function"):
            from_source(f"@I.ir_module\nclass Module:\n    x = {line}\n")


def test_texts_that_do_not_fit_are_refused_when_they_run() -> None:
    good = kernel('T.print("{}", A[i])')
    assert 'T.print("{}", A[i])' in good.script()
    for arguments in ('"{} {}", A[i]', '"{0}", A[i]', "A[i]"):
        wrong = kernel(f'T.Call("void", "tir.print", [{arguments}])')
        roundtrip(wrong)
        with pytest.raises(Unsupported, match="print"):
            interp.build(wrong)["f"](np.zeros(4, "float32"))


@pytest.mark.parametrize("line", ["print(i)", "breakpoint()"])
def test_compiled_code_has_neither(line: str) -> None:
    module = IRModule({"f": kernel(line).with_attr("global_symbol", "f")})
    with pytest.raises(NotSupportedByLLVM) as caught:
        llvm.build(lower_for_llvm(module))
    assert caught.value.hint == 'only the interpreter has it: target="interp"'
    assert caught.value.line == 4


PROGRAM = """\
import numpy as np

import tvmscript
from tvmscript import T


@T.prim_func
def scale(A: T.Buffer((2, 4), "float32"), B: T.Buffer((4,), "float16"), n: T.int32):
    for i, j in T.grid(2, 4):
        with T.block("scaled"):
            vi, vj = T.axis.remap("SS", [i, j])
            A[vi, vj] = A[vi, vj] * T.float32(2)
            if vi == 1 and vj == 2:
                breakpoint()


from tvmscript.backends import interp

interp.build(scale)["scale"](np.arange(8, dtype="float32").reshape(2, 4), np.ones(4, "float16"), 7)
print("ended")
"""


def debugged(tmp_path: Path, program: str, commands: str) -> str:
    """What Python's debugger says, without its prompts."""
    (tmp_path / "scaling.py").write_text(program)
    found = subprocess.run(
        [sys.executable, "scaling.py"],
        input="\n".join(commands.split(";")) + "\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
        env={"PYTHONPATH": str(Path(__file__).parents[3])},
    )
    assert not found.stderr
    return found.stdout.replace("(Pdb) ", "")


def test_breakpoint_shows_the_kernel(tmp_path: Path) -> None:
    said = debugged(tmp_path, PROGRAM, "p vi, vj, i, j, n;p A[1];p B;p A.shape;list;c")
    assert "(1, 2, 1, 2, 7)" in said
    assert "array([ 8., 10., 12.,  7.], dtype=float32)" in said
    assert "array([1., 1., 1., 1.])" in said
    assert "(2, 4)" in said
    assert " 12  \t            A[vi, vj] = A[vi, vj] * T.float32(2)" in said
    assert said.endswith("ended\n")


STEPS = """\
import numpy as np

import tvmscript
from tvmscript import T


@T.prim_func
def sums(A: T.Buffer((2, 2), "float32"), B: T.Buffer((2,), "float32")):
    S = T.alloc_buffer((2,), "float32")
    breakpoint()
    for i, j in T.grid(2, 2):
        with T.block("S"):
            vi, vj = T.axis.remap("SR", [i, j])
            T.where(i < 2)
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vi, vj]
    for i in range(2):
        if A[i, 0] > 1.0:
            B[i] = S[i]
        else:
            x: T.float32 = S[i] * T.float32(2)
            B[i] = x


def main():
    b = np.ones(2, "float32")
    tvmscript.build(sums, target="interp")["sums"](np.arange(4, dtype="float32").reshape(2, 2), b)
    print("ended", b)


main()
"""


#: steps from where the debugger starts to the first statement: Python 3.13 starts at `breakpoint()` itself
FIRST = ["n"] if sys.version_info >= (3, 13) else []


def places(said: str) -> list[tuple[int, str]]:
    """The lines at which the debugger stopped behind `breakpoint()`, and the functions."""
    stops = re.findall(r"^> .*scaling.py\((\d+)\)(\w+)\(\)", said, re.MULTILINE)
    return [(int(line), name) for line, name in stops[len(FIRST) :]]


@pytest.mark.parametrize("step", ["n", "s"])
def test_steps_are_the_lines_of_the_kernel(tmp_path: Path, step: str) -> None:
    said = debugged(
        tmp_path, STEPS, ";".join([*FIRST, *[step] * 14, "b 23", "c", "p float(x), j", *[step] * 6, "p b", "c"])
    )
    assert {name for _, name in places(said)} == {"sums", "main"}
    lines = [line for line, _ in places(said)]
    # an iteration with the init, one without
    assert lines[:13] == [11, 14, 13, 12, 16, 17, 11, 14, 13, 12, 17, 11, 11]
    assert "(2.0, 1)" in said
    assert lines[-7:] == [23, 18, 19, 20, 18, 18, 29]
    assert "array([2., 5.], dtype=float32)" in said
    assert said.endswith("ended [2. 5.]\n")


def test_a_kernel_that_returns_and_threads_that_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `T.ret` gives comes out; where threads meet, the line of the breakpoint is all that is shown."""
    program = STEPS.replace("    for i, j in", "    T.evaluate(T.ret(T.int32(7)))\n    for i, j in")
    said = debugged(tmp_path, program.replace('print("ended", b)', ""), ";".join([*FIRST, "n", "n", "c"]))
    assert places(said)[:2] == [(11, "sums"), (11, "sums")]
    func = from_source(
        "@T.prim_func\ndef f(A: T.Buffer((2,), 'float32')):\n"
        "    for i in T.thread_binding(2, thread='threadIdx.x'):\n"
        "        T.tvm_storage_sync('shared')\n        breakpoint()\n        A[i] = T.float32(1)\n"
    )
    seen: list[int] = []
    monkeypatch.setattr(sys, "breakpointhook", lambda: seen.append(inspect.stack()[1].lineno))
    array = np.zeros(2, "float32")
    interp.build(func)["f"](array)
    assert seen == [5, 5]
    assert array.tolist() == [1, 1]


def test_breakpoint_in_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Any, ...]] = []

    def hook() -> None:
        frame: Any = inspect.stack()[1].frame
        seen.append((frame.f_code.co_filename, frame.f_lineno, frame.f_locals["i"], frame.f_locals["A"].tolist()))

    monkeypatch.setattr(sys, "breakpointhook", hook)
    interp.build(kernel("breakpoint()"))["f"](np.arange(4, dtype="float32"))
    assert seen == [("<text>", 4, index, [0.0, 1.0, 2.0, 3.0]) for index in (0, 1)]
    assert linecache.getline("<text>", 4) == "        breakpoint()\n"


def test_more_loops_than_python_nests(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"i{place}" for place in range(24)]
    func = from_source(
        '@T.prim_func\ndef f(A: T.Buffer((1,), "int32")):\n'
        f"    for {', '.join(names)} in T.grid({', '.join(['1'] * 23)}, 2):\n"
        "        breakpoint()\n        A[0] = A[0] + i23\n        while A[0] > 5:\n            A[0] = 0\n"
    )
    seen: list[int] = []
    monkeypatch.setattr(sys, "breakpointhook", lambda: seen.append(inspect.stack()[1].frame.f_locals["i23"]))
    array = np.array([4], "int32")
    interp.build(func)["f"](array)
    assert seen == [0, 1]
    assert array.tolist() == [5]
