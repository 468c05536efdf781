"""Write updates at indices of a copy, as kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import BufferLoad, BufferStore, ForKind, Stmt
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.tir.stmt import seq
from tvmscript.ir.topi.common import as_int, function, normalize_axis, product
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.statements import kernel_of, loop, spread

#: what becomes of an element and an update
_REDUCTIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "update": lambda _, b: b,
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "mean": lambda a, b: (a + b) / 2,
    "min": lambda a, b: function("min")(a, b),
    "max": lambda a, b: function("max")(a, b),
}


def _reducer(reduction: str, where: str) -> Callable[[Any, Any], Any]:
    if reduction not in _REDUCTIONS:
        raise InvalidOperand(where=where, reason=f"the reduction {reduction!r} is none of {', '.join(_REDUCTIONS)}")
    return _REDUCTIONS[reduction]


def _copy(source: Any, target: Any, shape: Any, kind: ForKind) -> Stmt:
    def element(i: Any) -> Stmt:
        indices = spread(i, shape)
        return BufferStore(target, BufferLoad(source, indices), indices)

    return loop("i", product(shape), element, kind)


def scatter_elements(data: Tensor, indices: Tensor, updates: Tensor, axis: int = 0, reduction: str = "update") -> Any:
    """Return ONNX's ScatterElements; the reduction is update, add, mul, mean, min or max."""
    place = normalize_axis(axis, data.ndim, "scatter_elements")
    combine = _reducer(reduction, "scatter_elements")
    extent: Any = data.shape[place]
    count: Any = indices.shape[place]
    before: Any = product(indices.shape[:place])
    after: Any = product(indices.shape[place + 1 :])
    data_after: Any = product(data.shape[place + 1 :])

    def kernel(ins: list[Any], outs: list[Any]) -> Stmt:
        source, where, new = ins
        (target,) = outs

        def row(fused: Any) -> Stmt:
            outer, inner = fused // after, fused % after

            def step(k: Any) -> Stmt:
                spot = spread(outer * (count * after) + inner + k * after, indices.shape)
                index: Any = BufferLoad(where, spot)
                wrapped = index + cast_expr(index.dtype, index < 0) * extent
                position = outer * (extent * data_after) + inner + wrapped * data_after
                goal = spread(position, data.shape)
                value = combine(BufferLoad(target, goal), BufferLoad(new, spot))
                return BufferStore(target, value, goal)

            return loop("k", count, step)

        return seq(
            _copy(source, target, data.shape, ForKind.PARALLEL), loop("fused", before * after, row, ForKind.PARALLEL)
        )

    return kernel_of("scatter_elements_generic", data.shape, data.dtype, [data, indices, updates], kernel)


def scatter_nd(data: Tensor, indices: Tensor, updates: Tensor, mode: str) -> Any:
    """Return ONNX's ScatterND with the indices' dimension first; the mode is a reduction, such as "add"."""
    combine = _reducer(mode, "scatter_nd")
    depth = as_int(indices.shape[0], "scatter_nd")
    rows: Any = product(indices.shape[1:])
    inner: Any = product(data.shape[depth:])

    def kernel(ins: list[Any], outs: list[Any]) -> Stmt:
        source, where, new = ins
        (target,) = outs

        def row(j: Any) -> Stmt:
            def element(k: Any) -> Stmt:
                position: Any = k
                stride: Any = inner
                for n in reversed(range(depth)):
                    spot = spread(j + n * rows, indices.shape)
                    position = position + stride * BufferLoad(where, spot)
                    stride = stride * data.shape[n]
                goal = spread(position, data.shape)
                update = BufferLoad(new, spread(j * inner + k, updates.shape))
                return BufferStore(target, combine(BufferLoad(target, goal), update), goal)

            return loop("k", inner, element, ForKind.PARALLEL)

        return seq(_copy(source, target, data.shape, ForKind.SERIAL), loop("j", rows, row))

    return kernel_of("scatter_nd_generic", data.shape, data.dtype, [data, indices, updates], kernel)
