"""Small kernels for the tests of the LLVM backend: one loop over arrays, run compiled and interpreted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import tvmscript
from tvmscript.backends import interp, llvm
from tvmscript.backends.runtime.array import dtype_of, storage_dtype
from tvmscript.backends.runtime.module import Module
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer, make_buffer
from tvmscript.ir.tir.expr import BufferLoad, IntImm, Mul, Ramp, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import BufferStore, For, ForKind, seq
from tvmscript.testing.lane_kernels import as_numbers as values
from tvmscript.testing.lane_kernels import different as differences
from tvmscript.testing.lane_kernels import samples

Array = npt.NDArray[Any]
Make = Callable[..., Expr]

_WIDTHS = (1, 3, 8, 12, 16, 24, 32, 33, 64)
INTEGERS = [DType(f"{code}{bits}") for code in ("int", "uint") for bits in _WIDTHS]
FLOATS = [DType(name) for name in ("float16", "float32", "float64", *FORMATS)]


def i32(value: int) -> IntImm:
    return IntImm("int32", value)


def function(body: Stmt, buffers: Sequence[Buffer], name: str = "f", **attrs: Any) -> PrimFunc:
    """A public function over buffers."""
    params = tuple(Var(f"p{index}", "handle") for index in range(len(buffers)))
    return PrimFunc(
        params,
        body,
        None,
        dict(zip(params, buffers, strict=True)),
        {"global_symbol": name, "tir.noalias": IntImm("bool", 1), **attrs},
    )


def elementwise(makes: Sequence[Make], inputs: Sequence[DType], count: int, lanes: int = 1) -> IRModule:
    """`f(inputs..., outputs...)`: each output is made from the inputs' elements, `lanes` at a time."""
    sources = [make_buffer((i32(count),), dtype, f"A{index}") for index, dtype in enumerate(inputs)]
    var = Var("i", "int32")
    index: Expr = var if lanes == 1 else Ramp(Mul(var, i32(lanes)), i32(1), lanes)
    values = [make(*[BufferLoad(source, (index,)) for source in sources]) for make in makes]
    outputs = [make_buffer((i32(count),), value.dtype.element, f"O{k}") for k, value in enumerate(values)]
    stores = [BufferStore(out, value, (index,)) for out, value in zip(outputs, values, strict=True)]
    loop = For(var, i32(0), i32(count // lanes), ForKind.SERIAL, seq(*stores))
    return IRModule.from_expr(function(loop, [*sources, *outputs]))


def both(program: IRModule, inputs: Sequence[Array]) -> tuple[list[Array], list[Array]]:
    """The outputs of `f`, compiled without fused products and interpreted."""
    func = program["f"]
    outputs = [func.buffer_map[param] for param in func.params[len(inputs) :]]
    made: list[list[Array]] = []
    for module in (llvm.build(program, target=llvm.EXACT), interp.build(program)):
        results = [np.zeros(inputs[0].shape, storage_dtype(buffer.dtype)) for buffer in outputs]
        module["f"](*inputs, *results)
        made.append(results)
    return made[0], made[1]


def build_text(text: str, target: str | None = None) -> Module:
    """A text, parsed, lowered and compiled."""
    built: Module = tvmscript.build(tvmscript.from_source(text), target=target or "llvm")
    return built


__all__ = [
    "FLOATS", "INTEGERS", "Array", "both", "build_text", "differences", "dtype_of", "elementwise", "function", "i32",
    "samples", "values",
]  # fmt: skip
