"""Names of nodes that are constructed before their name is known: `n = T.int32()`, `for i in ...`.

Only this module sets fields of finished nodes.
"""

from __future__ import annotations

from collections.abc import Iterator

from tvmscript.ir.core import GlobalVar
from tvmscript.ir.core.node import Building
from tvmscript.ir.tir import Buffer, Var


class MetaVar:
    """`T.meta_var(value)`: a Python value that an assignment binds without a variable."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value


def is_unnamed(value: object) -> bool:
    """Whether a value is a variable without a name."""
    return isinstance(value, Var) and value.name == ""


def rename(var: Var, name: str) -> None:
    """Rename a variable of the function being parsed."""
    named: Building = var
    named.name = name


def buffer_variables(buffer: Buffer, name: str) -> Iterator[tuple[Var, str]]:
    """Yield the variables named after a buffer, with their names."""
    yield buffer.data, name
    for position, stride in enumerate(buffer.strides):
        if isinstance(stride, Var):
            yield stride, f"{name}_s{position}"


def name_if_unnamed(value: object, name: str) -> None:
    """Name a variable, or a buffer with its variables, that has no name yet."""
    if isinstance(value, (Var, Buffer)) and value.name == "":
        named: Building = value
        named.name = name
        if isinstance(value, Buffer):
            for part, part_name in buffer_variables(value, name):
                name_if_unnamed(part, part_name)
            name_if_unnamed(value.elem_offset, f"{name}_elem_offset")


def set_struct_info(var: GlobalVar, struct_info: object) -> None:
    """Set the struct info of the variable of a module's function, before its uses are parsed."""
    unfinished: Building = var
    unfinished.struct_info = struct_info
