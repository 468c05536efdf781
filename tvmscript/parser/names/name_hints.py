"""Names for what was made before its name was known: `n = T.int32()`, `v = T.axis.spatial(4, i)`, `for i in ...`.

The only place that fills a field of a finished node, before anybody else sees it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tvmscript.ir.core.module import GlobalVar
from tvmscript.ir.core.node import Building
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Var


class MetaVar:
    """`T.meta_var(value)`: a Python value that an assignment takes as it is."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def is_unnamed(value: Any) -> bool:
    """Whether a variable waits for its name."""
    return isinstance(value, Var) and value.name == ""


def rename(var: Var, name: str) -> None:
    """Give a variable another name while the function that declares it is read."""
    named: Building = var
    named.name = name


def buffer_variables(buffer: Buffer, name: str) -> Iterator[tuple[Var, str]]:
    """The variables of a buffer that are called after it, and what they are called."""
    yield buffer.data, name
    for position, stride in enumerate(buffer.strides):
        if isinstance(stride, Var):
            yield stride, f"{name}_s{position}"


def name_if_unnamed(value: Any, name: str) -> None:
    """Name a variable or a buffer that has no name yet, with what belongs to the buffer."""
    if isinstance(value, Var | Buffer) and value.name == "":
        named: Building = value
        named.name = name
        if isinstance(value, Buffer):
            for part, part_name in buffer_variables(value, name):
                name_if_unnamed(part, part_name)
            name_if_unnamed(value.elem_offset, f"{name}_elem_offset")


def set_struct_info(var: GlobalVar, struct_info: Any) -> None:
    """Let the variable of a module's function tell what is known of the function, before its uses are read."""
    told: Building = var
    told.struct_info = struct_info
