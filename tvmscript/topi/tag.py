"""Tags of tensors that say how an operator computes: TVM's `topi.tag`."""

from __future__ import annotations

from tvmscript.ir.topi.common import BROADCAST, COMM_REDUCE, ELEMWISE, INJECTIVE
from tvmscript.ir.topi.common import COMM_REDUCE_INDEX as COMM_REDUCE_IDX

__all__ = ["BROADCAST", "COMM_REDUCE", "COMM_REDUCE_IDX", "ELEMWISE", "INJECTIVE", "is_broadcast", "is_injective"]


def is_broadcast(tag: str) -> bool:
    """Return whether each element is computed from one element of each operand, broadcast."""
    return tag.startswith((ELEMWISE, BROADCAST))


def is_injective(tag: str) -> bool:
    """Return whether no element is computed from several elements of an operand."""
    return is_broadcast(tag) or tag.startswith(INJECTIVE)
