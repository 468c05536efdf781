"""Find stores whose value is converted implicitly and loses digits."""

from __future__ import annotations

from tvmscript.ir.analysis.errors import LossyStore
from tvmscript.ir.core import IRError, nodes
from tvmscript.ir.tir import BufferStore, Cast, PrimFunc


def check_stores(func: PrimFunc) -> list[IRError]:
    """Return an error for each store of a float to a buffer of integers without a cast in the text.

    The parser converts the value, as TVM does: such a cast has the span of the whole statement.
    """
    return [
        LossyStore(buffer=node.buffer.name, source=node.value.value.dtype, target=node.value.dtype, span=node.span)
        for node in nodes(func.body)
        if isinstance(node, BufferStore)
        and isinstance(node.value, Cast)
        and node.span is not None
        and node.value.span == node.span
        and node.value.value.dtype.is_floating
        and not node.value.dtype.is_floating
    ]
