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
from tvmscript.backends.runtime.small_floats import values_of
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.formats import FORMATS
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer, make_buffer
from tvmscript.ir.tir.expr import BufferLoad, IntImm, Mul, Ramp, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import BufferStore, For, ForKind, seq

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
    """The outputs of `f`, compiled and interpreted."""
    func = program["f"]
    outputs = [func.buffer_map[param] for param in func.params[len(inputs) :]]
    made: list[list[Array]] = []
    for module in (llvm.build(program), interp.build(program)):
        results = [np.zeros(inputs[0].shape, storage_dtype(buffer.dtype)) for buffer in outputs]
        module["f"](*inputs, *results)
        made.append(results)
    return made[0], made[1]


def values(array: Array, dtype: DType) -> Array:
    """Stored elements as numbers."""
    if dtype in FORMATS:
        return np.array(values_of(dtype))[array]
    return array


def differences(got: Array, want: Array, dtype: DType) -> Array:
    """Positions where two stored arrays differ; nan is nan, -0.0 is not 0.0."""
    a, b = values(got, dtype), values(want, dtype)
    if not dtype.is_floating:
        return np.flatnonzero(a != b)
    same = (a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b)
    return np.flatnonzero(~same)


def samples(dtype: DType, count: int, seed: int = 0) -> Array:
    """Stored elements: extremes, small numbers, every kind of float, the rest random."""
    rng = np.random.default_rng(seed)
    stored = storage_dtype(dtype)
    if dtype.is_bool:
        return rng.integers(0, 2, count).astype(stored)
    if dtype.is_integer:
        low, high = dtype.min_value, dtype.max_value
        special = [v for v in (low, low + 1, high, high - 1, 0, 1, 2, 3, 5, -1, -2, -3, -5) if low <= v <= high]
        wide = rng.integers(low, high, count, dtype=np.int64 if low < 0 else np.uint64, endpoint=True)
        small = rng.integers(max(low, -9), min(high, 9), count, endpoint=True)
        made = np.where(rng.random(count) < 0.5, wide.astype(stored), small.astype(stored))
        made[rng.permutation(count)[: count // 3]] = rng.choice(np.array(special, object), count // 3).astype(stored)
        return made
    if dtype in FORMATS:
        return rng.integers(0, 1 << dtype.bits, count).astype(stored)
    info = np.finfo(stored)
    special_floats = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        2.0,
        np.inf,
        -np.inf,
        np.nan,
        info.max,
        info.tiny,
        info.smallest_subnormal,
        -3.5,
        1e4,
    ]
    made = (rng.standard_normal(count) * 2.0 ** rng.integers(-12, 12, count)).astype(stored)
    made[rng.permutation(count)[: count // 3]] = rng.choice(np.array(special_floats), count // 3).astype(stored)
    return made


def build_text(text: str, target: str | None = None) -> Module:
    """A text, parsed, lowered and compiled."""
    built: Module = tvmscript.build(tvmscript.from_source(text), target=target or "llvm")
    return built


__all__ = [
    "FLOATS", "INTEGERS", "Array", "both", "build_text", "differences", "dtype_of", "elementwise", "function", "i32",
    "samples", "values",
]  # fmt: skip
