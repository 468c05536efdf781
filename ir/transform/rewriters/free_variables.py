"""Free variables and undeclared buffers of a statement."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import Node, nodes
from tvmscript.ir.tir import Block, Buffer, Stmt, Var


class FreeVariables:
    """Variables that a statement uses but does not define, and buffers that it does not declare, in order of first use.

    The layout of a free buffer counts as used. `defined` holds the variables and buffers that the statement defines.
    """

    def __init__(self, body: Stmt) -> None:
        self.defined: set[Any] = set()
        used: dict[Node, None] = {}
        for node in nodes(body):
            if node.is_name:
                used[node] = None
                continue
            for field in node.schema.binds:
                self._define(getattr(node, field))
            if isinstance(node, Block):
                self._define_layouts(node)
        self.buffers = {name: None for name in used if isinstance(name, Buffer) and name not in self.defined}
        for name in list(used):
            if isinstance(name, Buffer):
                layout = (name.data, *name.shape, *name.strides, name.elem_offset)
                used.update((part, None) for value in layout for part in nodes(value))
        self.variables = {name: None for name in used if isinstance(name, Var) and name not in self.defined}

    def _define(self, value: object) -> None:
        if isinstance(value, tuple):
            self.defined.update(value)
        elif isinstance(value, Node):
            self.defined.add(value)

    def _define_layouts(self, block: Block) -> None:
        """Define the data of allocated buffers and all variables of matched buffers."""
        self.defined.update(buffer.data for buffer in block.alloc_buffers)
        for match in block.match_buffers:
            buffer = match.buffer
            self.defined.update((buffer.data, *buffer.shape, *buffer.strides, buffer.elem_offset))
