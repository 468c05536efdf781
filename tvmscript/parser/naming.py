"""Names for what was made before its name was known: `n = T.int32()`, `v = T.axis.spatial(4, i)`, `for i in ...`.

The only place that fills a field of a finished node, once, before anybody else sees it.
"""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.node import Building
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Var


class MetaVar:
    """`T.meta_var(value)`: a Python value that an assignment takes as it is."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def is_nameless(value: Any) -> bool:
    """Whether a variable waits for its name."""
    return isinstance(value, Var) and value.name == ""


def give_name(value: Any, name: str) -> None:
    """Name a variable or a buffer that has no name yet, with what belongs to the buffer."""
    if isinstance(value, Var | Buffer) and value.name == "":
        named: Building = value
        named.name = name
        if isinstance(value, Buffer):
            give_name(value.data, name)
            for position, stride in enumerate(value.strides):
                give_name(stride, f"{name}_s{position}")
            give_name(value.elem_offset, f"{name}_elem_offset")
