"""Parts of blocks that add products to the elements of a buffer."""

from __future__ import annotations

from tvmscript.ir.tir import Block, Buffer, BufferLoad, BufferStore, Expr, IntImm, Var
from tvmscript.ir.tir.expr import Add, FloatImm, Mul


def starts_at_zero(block: Block, buffer: Buffer) -> bool:
    """Whether a reduction starts with zeros."""
    init = block.init
    return (
        isinstance(init, BufferStore)
        and init.buffer is buffer
        and isinstance(init.value, (FloatImm, IntImm))
        and init.value.value == 0
    )


def added_factors(store: BufferStore) -> tuple[Expr, Expr] | None:
    """Return the factors of a product that is added to the element that a block stores."""
    value = store.value
    if not isinstance(value, Add):
        return None
    for own, product in ((value.a, value.b), (value.b, value.a)):
        is_own = isinstance(own, BufferLoad) and own.buffer is store.buffer and own.indices == store.indices
        if is_own and isinstance(product, Mul):
            return product.a, product.b
    return None


def different_axes(indices: tuple[Expr, ...]) -> tuple[Var, ...] | None:
    """Return the variables among indices that are different variables, beside constants; None for others."""
    axes = tuple(index for index in indices if isinstance(index, Var))
    constants = sum(isinstance(index, IntImm) for index in indices)
    return axes if len(axes) + constants == len(indices) and len(axes) == len({*axes}) else None
