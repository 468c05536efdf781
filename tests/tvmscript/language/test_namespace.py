"""`T` and `I` as Python objects, outside of kernels."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

import tvmscript
from tvmscript import I, T
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.module import DummyGlobalInfo, VDevice
from tvmscript.ir.core.targets.target import Target
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Broadcast, Call, Cast, FloatImm, IntImm, SizeVar, Var
from tvmscript.parser.names.namespace import OutsideOfKernel, UnknownOption, UnknownScriptName


def test_values_outside_of_kernels() -> None:
    three = T.int32(3)
    assert isinstance(three, IntImm)
    assert (three.value, three.dtype) == (3, "int32")
    assert isinstance(T.exp(T.float32(1)), Call)
    assert isinstance(T.float32x4(1), Broadcast)
    assert isinstance(T.Buffer((4, 4), "float16"), Buffer)
    assert isinstance(T.int64(is_size_var=True), SizeVar)
    assert isinstance(T.float32("inf"), FloatImm)
    pointer: Any = T.handle("int8", "shared")
    assert pointer.storage_scope == "shared"
    assert isinstance(T.float32(T.Var("x", "int32")), Cast)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int4", "float16", "bfloat16", "e4m3_float8", "float64x8", "void"])
def test_constructor_of_every_dtype(dtype: str) -> None:
    made = getattr(T, dtype)()
    assert isinstance(made, Var)
    assert made.dtype is DType(dtype)


def test_unknown_names_propose() -> None:
    with pytest.raises(UnknownScriptName, match=r"did you mean T\.match_buffer") as caught:
        _ = T.match_bufer  # type: ignore[attr-defined]
    assert isinstance(caught.value, AttributeError)
    assert not hasattr(T, "float33")


def test_constructs_need_a_kernel() -> None:
    with pytest.raises(OutsideOfKernel, match=r"T\.grid"):
        T.grid(4)


def test_options_are_checked() -> None:
    with pytest.raises(UnknownOption, match="privat"):
        T.prim_func(privat=True)  # type: ignore[call-overload]


def test_global_infos() -> None:
    device = I.vdevice("llvm -mcpu=znver4", 1)
    assert isinstance(device, VDevice)
    assert isinstance(device.target, Target)
    assert str(device.target) == "llvm -keys=cpu -mcpu=znver4"
    assert isinstance(I.dummy_global_info(), DummyGlobalInfo)


def test_names_are_listed() -> None:
    assert {"grid", "Buffer", "exp", "prim_func", "macro", "float32"} <= set(dir(T))
    assert {"ir_module", "module_attrs", "vdevice"} <= set(dir(I))


def test_source_from_linecache() -> None:
    """What notebooks and interactive sessions do: the text is in linecache, not in a file."""
    code = (
        "from tvmscript import I, T\n"
        "@T.prim_func\n"
        "def f(A: T.Buffer((4,), 'float32')):\n"
        "    A[0] = 1.0\n"
        "@I.ir_module\n"
        "class M:\n"
        "    @T.prim_func\n"
        "    def g(n: T.int32):\n"
        "        T.evaluate(n)\n"
    )
    name = "<cell 1>"
    lines: list[str] = [*code.splitlines(keepends=True)]
    linecache.cache[name] = (len(code), None, lines, name)
    space: dict[str, Any] = {}
    exec(compile(code, name, "exec"), space)
    assert isinstance(space["f"], tvmscript.PrimFunc)
    assert [var.name_hint for var in space["M"].get_global_vars()] == ["g"]
    assert space["f"].span is not None
    assert space["f"].span.line == 3
    linecache.cache.pop(name)
