"""Programs that are compiled in parts: the same results, errors and bytes, in a thread and without one."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.llvm import elf_object, parts
from tvmscript.backends.llvm.elf_merge import merge_objects
from tvmscript.backends.llvm.elf_object import LoadedObject
from tvmscript.backends.llvm.object_cache import Library
from tvmscript.backends.llvm.optimized_module import machine_code
from tvmscript.backends.llvm.target import Target
from tvmscript.backends.runtime.errors import UnknownSymbol, WrongArrayShape
from tvmscript.ir.analysis.errors import AccessOutOfBounds
from tvmscript.ir.core import IRModule, TVMScriptError
from tvmscript.tir import PrimFunc

pytestmark = pytest.mark.skipif(not elf_object.IS_SUPPORTED, reason="programs are compiled as a whole here")

#: kernels that are public and private, called directly and through their checked form; they share routines and tables
TEXT = """
@I.ir_module
class Module:
    @T.prim_func
    def grow(A: T.Buffer((50,), "float32"), B: T.Buffer((50,), "float32")):
        T.func_attr({{"global_symbol": "grow"}})
        for i in range(50):
            B[i] = T.exp(A[i])

    @T.prim_func(private=True)
    def shrink(A: T.Buffer((50,), "float32"), B: T.Buffer((50,), "float32")):
        for i in range(50):
            B[i] = T.exp(T.float32(0) - A[i])

    @T.prim_func(private=True)
    def square(x: T.float32) -> T.float32:
        T.evaluate(T.ret(x * x))

    @T.prim_func
    def total(A: T.Buffer((50,), "float32"), B: T.Buffer((1,), "float32")):
        T.func_attr({{"global_symbol": "total"}})
        B[0] = T.float32(0)
        for i in range(50):
            B[0] = B[0] + A[i]

    @T.prim_func
    def main(a: T.handle, b: T.handle, c: T.handle, D: T.Buffer((50,), "float32")):
        T.func_attr({{"global_symbol": "main"}})
        A = T.match_buffer(a, (50,), "float32")
        B = T.match_buffer(b, (50,), "float32")
        C = T.match_buffer(c, ({size},), "float32")
        Module.grow(a, b)
        Module.shrink(a, c)
        A[0] = A[0] + T.float32(1)
        for i in range(50):
            D[i] = Module.square(B[i]) - C[i]
"""
PROGRAM = TEXT.format(size=50)


@pytest.fixture(autouse=True)
def _every_kernel_is_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TVMSCRIPT_CACHE", "0")
    monkeypatch.setattr(parts, "_LEAST_SIZE", 1)


def program() -> IRModule:
    mod = tvmscript.from_source(PROGRAM)
    assert isinstance(mod, IRModule)
    return mod


def test_results() -> None:
    """Functions call those of other parts, whose errors pass through them."""
    module = tvmscript.build(program())
    values = np.linspace(-1, 1, 50, dtype="float32")
    grown, shrunk, result = (np.zeros(50, "float32") for _ in range(3))
    module["main"](values.copy(), grown, shrunk, result)
    np.testing.assert_allclose(grown, np.exp(values), rtol=1e-6)
    np.testing.assert_allclose(shrunk, np.exp(-values), rtol=1e-6)
    np.testing.assert_allclose(result, np.exp(values) ** 2 - np.exp(-values), rtol=1e-4, atol=1e-5)
    total = np.zeros(1, "float32")
    module["total"](values + 1, total)
    assert total[0] == pytest.approx(50, rel=1e-5)
    assert sorted(module.functions) == ["grow", "main", "total"]
    larger = tvmscript.build(tvmscript.from_source(TEXT.format(size=60)))
    with pytest.raises(WrongArrayShape, match=r"shrink: .*50.*60"):
        larger["main"](values, grown, np.zeros(60, "float32"), result)
    assert all(f"{name}.kernel" in module.get_source("ll") for name in ("grow", "shrink", "square", "total", "main"))


def _code(mod: IRModule) -> Library:
    def lower(part: IRModule) -> IRModule:
        return tvmscript.lower(part, "llvm")

    compiled = parts.compile_in_parts(mod, Target.parse("llvm"), lower)
    assert compiled is not None
    return compiled.library


def test_the_same_bytes_with_and_without_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    interval = sys.getswitchinterval()
    library = _code(program())
    assert sys.getswitchinterval() == interval
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert _code(program()) == library


def test_programs_are_built_while_python_ends() -> None:
    """No thread starts in an exit handler; the parts are compiled without one."""
    text = f"""
import atexit
import tvmscript
from tvmscript.backends.llvm import parts

parts._LEAST_SIZE = 1
program = tvmscript.from_source({PROGRAM!r})
tvmscript.build(program)
atexit.register(lambda: print(sorted(tvmscript.build(program).functions)))
"""
    result = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("['grow', 'main', 'total']\n", "")


@pytest.mark.parametrize(
    ("broken", "error"),
    [
        ("B[i + 50] = A[i]", AccessOutOfBounds),
        ('T.evaluate(T.call_extern("void", "nowhere"))', UnknownSymbol),
    ],
    ids=["lowering", "linking"],
)
def test_errors_are_those_of_the_whole(broken: str, error: type[TVMScriptError]) -> None:
    """What is wrong in a part is told as if the program was compiled as a whole."""
    with pytest.raises(error):
        tvmscript.build(tvmscript.from_source(PROGRAM.replace("B[0] = B[0] + A[i]", broken)))


def test_programs_that_are_compiled_as_a_whole() -> None:
    """Instruments see the whole program, and one kernel is one part."""

    def lower(part: IRModule) -> IRModule:
        raise AssertionError(part)

    machine = Target.parse("llvm")
    kernels = {var: func for var, func in program().items() if isinstance(func, PrimFunc) and var.name_hint == "grow"}
    assert parts.compile_in_parts(IRModule(kernels), machine, lower) is None
    with tvmscript.transform.PassContext(config={"tir.add_lower_pass": []}):
        assert parts.compile_in_parts(program(), machine, lower) is None


def test_export(tmp_path: Path) -> None:
    path = tmp_path / "program.tvmscript"
    tvmscript.build(program()).export_library(str(path))
    values = np.linspace(0, 1, 50, dtype="float32")
    grown, shrunk, result = (np.zeros(50, "float32") for _ in range(3))
    tvmscript.runtime.load_module(str(path))["main"](values.copy(), grown, shrunk, result)
    np.testing.assert_allclose(result, np.exp(values) ** 2 - np.exp(-values), rtol=1e-4, atol=1e-5)


FIRST = """
@table = internal constant [4 x i64] [i64 3, i64 5, i64 7, i64 11]
@count = internal global i64 40, align 64
define hidden i64 @first(i64 %i) {
  %p = getelementptr i64, ptr @table, i64 %i
  %v = load i64, ptr %p
  ret i64 %v
}
define i64 @next() {
  %n = load i64, ptr @count
  %m = add i64 %n, 1
  store i64 %m, ptr @count
  ret i64 %m
}
"""
SECOND = """
@table = internal constant [4 x i64] [i64 30, i64 50, i64 70, i64 110]
@entries = internal constant [2 x ptr] [ptr @first, ptr @second]
declare hidden i64 @first(i64)
declare i64 @next()
declare i64 @labs(i64)
define internal i64 @second(i64 %i) {
  %p = getelementptr i64, ptr @table, i64 %i
  %v = load i64, ptr %p
  ret i64 %v
}
define i64 @run(i64 %which, i64 %i) {
  %p = getelementptr ptr, ptr @entries, i64 %which
  %f = load ptr, ptr %p
  %v = call i64 %f(i64 %i)
  %a = call i64 @labs(i64 -1000)
  %s = add i64 %v, %a
  ret i64 %s
}
define i64 @twice() {
  %a = call i64 @next()
  %b = call i64 @next()
  %s = add i64 %a, %b
  ret i64 %s
}
"""


@pytest.mark.parametrize("order", [1, -1], ids=["definitions-first", "uses-first"])
def test_merged_objects(order: int) -> None:
    """Names of one object stay apart from those of others; references find definitions, before or behind them."""
    contents = [machine_code(text, Target.parse(None)) for text in (FIRST, SECOND)][::order]
    library = ctypes.CDLL(None)
    loaded = LoadedObject(
        merge_objects(contents), lambda name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    )
    run = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(loaded.address("run"))
    assert [run(which, i) for which in range(2) for i in range(4)] == [1003, 1005, 1007, 1011, 1030, 1050, 1070, 1110]
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(loaded.address("twice"))() == 41 + 42
