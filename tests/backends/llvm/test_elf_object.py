"""The loader of object files: what it loads, and that what it does not know goes to LLVM's loader."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.llvm import elf_format, elf_object, linked_code
from tvmscript.backends.llvm.elf_object import LoadedObject, UnsupportedObject
from tvmscript.backends.llvm.optimized_module import machine_code
from tvmscript.backends.llvm.target import Target
from tvmscript.backends.runtime.errors import UnknownSymbol

pytestmark = pytest.mark.skipif(not elf_object.IS_SUPPORTED, reason="object files of this machine are LLVM's to load")

DATA = """
@table = internal constant [4 x i64] [i64 3, i64 5, i64 7, i64 11]
@entries = internal constant [2 x ptr] [ptr @first, ptr @second]
@count = global i64 40
@zeros = internal global [1000 x i64] zeroinitializer, align 64
declare i32 @abs(i32)
define internal i64 @first(i64 %i) {
  %p = getelementptr i64, ptr @table, i64 %i
  %v = load i64, ptr %p
  ret i64 %v
}
define internal i64 @second(i64 %i) {
  %n = load i64, ptr @count
  %m = add i64 %n, 1
  store i64 %m, ptr @count
  %p = getelementptr i64, ptr @zeros, i64 %i
  store i64 %m, ptr %p
  %v = load i64, ptr %p
  ret i64 %v
}
define i64 @run(i64 %which, i64 %i) {
  %p = getelementptr ptr, ptr @entries, i64 %which
  %f = load ptr, ptr %p
  %v = call i64 %f(i64 %i)
  ret i64 %v
}
define i32 @absolute(i32 %x) {
  %v = call i32 @abs(i32 %x)
  ret i32 %v
}
define ptr @address_of_abs() {
  ret ptr @abs
}
"""
#: a note of the processor's protection, in memory
NOTE = """
@x = global i64 0
!llvm.module.flags = !{!0}
!0 = !{i32 8, !"cf-protection-branch", i32 1}
"""


def code(text: str) -> bytes:
    return machine_code(text, Target.parse(None))


def resolve(name: str) -> int | None:
    function = getattr(ctypes.CDLL(None), name, None)
    return ctypes.cast(function, ctypes.c_void_p).value if function is not None else None


def test_code_data_and_calls() -> None:
    loaded = LoadedObject(code(DATA), resolve)
    run = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(loaded.address("run"))
    assert [run(0, i) for i in range(4)] == [3, 5, 7, 11]
    assert [run(1, i) for i in range(3)] == [41, 42, 43]
    assert ctypes.c_int64.from_address(loaded.address("count")).value == 43
    assert ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(loaded.address("absolute"))(-5) == 5
    assert ctypes.CFUNCTYPE(ctypes.c_void_p)(loaded.address("address_of_abs"))() == resolve("abs")
    with pytest.raises(KeyError):
        loaded.address("first")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"MZ" + bytes(200), "no 64-bit ELF file"),
        (code("@x = thread_local global i64 3\ndefine ptr @f() {\n ret ptr @x\n}"), "thread-local|section|relocation"),
        (elf_format.MAGIC + bytes(200), "no symbols"),
        (code("@x = common global i64 0\ndefine ptr @f() {\n ret ptr @x\n}"), "a symbol in section 65522"),
        (code(NOTE), "a section of type 7"),
        (code("@x = global i64 0\n@y = global i32 ptrtoint (ptr @x to i32)"), "relocation 10"),
    ],
    ids=["no-elf", "thread-local", "empty", "common", "note", "narrow"],
)
def test_what_it_refuses(content: bytes, reason: str) -> None:
    with pytest.raises(UnsupportedObject, match=reason):
        LoadedObject(content, resolve)


@pytest.mark.parametrize("function", ["mmap", "mprotect"])
def test_memory_that_the_system_refuses(function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = ctypes.create_string_buffer(1 << 20)
    failed = ctypes.c_void_p(-1).value
    system = SimpleNamespace(
        mmap=lambda *args: failed if function == "mmap" else ctypes.addressof(memory), mprotect=lambda *args: -1,
        munmap=lambda *args: 0,
    )  # fmt: skip
    monkeypatch.setattr("tvmscript.backends.llvm.elf_object._C", system)
    with pytest.raises(UnsupportedObject, match=f"{function}: error"):
        LoadedObject(code(DATA), resolve)


def test_what_it_refuses_is_loaded_by_llvm(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise UnsupportedObject("nothing")

    text = """
@T.prim_func
def scale(A: T.Buffer((100,), "float32"), B: T.Buffer((100,), "float32")):
    for i in range(100):
        B[i] = T.exp(A[i])
"""
    monkeypatch.setenv("TVMSCRIPT_CACHE", "0")
    monkeypatch.setattr(linked_code, "LoadedObject", refuse)
    values = np.linspace(0, 1, 100, dtype="float32")
    scale = tvmscript.build(tvmscript.from_source(text))["scale"]
    np.testing.assert_allclose(scale(values, ...), np.exp(values), rtol=1e-6)


@pytest.mark.parametrize(("source", "target"), [("float16", "float32"), ("float32", "float16"), ("float64", "float16")])
def test_casts_that_the_processor_lacks(source: str, target: str) -> None:
    """A call of a C function that the process does not have ended the process."""
    text = f"""
@T.prim_func
def main(A: T.Buffer((4096,), "{source}"), B: T.Buffer((4096,), "{target}")):
    for i in range(4096):
        B[i] = T.Cast("{target}", A[i])
"""
    values = (np.random.default_rng(0).standard_normal(4096) * 1e-3).astype(source)
    result = np.zeros(4096, target)
    tvmscript.build(tvmscript.from_source(text), target="llvm -mcpu=x86-64")(values, result)
    np.testing.assert_array_equal(result, values.astype(target))


def test_a_missing_function_is_named() -> None:
    content = code("declare void @nowhere_at_all()\ndefine void @f() {\n call void @nowhere_at_all()\n ret void\n}")
    with pytest.raises(UnknownSymbol, match="nowhere_at_all"):
        LoadedObject(content, resolve)
