"""What a part of a program uses without defining it."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import Visitor, on
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.stmt import AttrStmt, Block
from tvmscript.ir.tir.var import Var


class FreeNames(Visitor):
    """Variables that are used and not defined, and buffers that are used and not declared, in order of first use.

    What the layout of such a buffer uses counts. `defined` are the variables that the part itself introduces.
    """

    def __init__(self, body: Stmt) -> None:
        self.variables: dict[Var, None] = {}
        self.buffers: dict[Buffer, None] = {}
        self.defined: set[Node] = set()
        self.visit(body)

    @on(Var)
    def variable(self, node: Var) -> None:
        if node not in self.defined:
            self.variables[node] = None

    @on(Buffer)
    def buffer(self, node: Buffer) -> None:
        if node not in self.defined and node not in self.buffers:
            self.buffers[node] = None
            self.walk(node)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        about: Any = node.node
        if isinstance(about, Node) and not about.is_name:
            self.visit(about)
        self.visit(node.value)
        self.visit(node.body)

    @on(Block)
    def block(self, node: Block) -> None:
        self.defined |= {buffer.data for buffer in node.alloc_buffers}
        for match in node.match_buffers:
            layout = (match.buffer.data, *match.buffer.shape, *match.buffer.strides, match.buffer.elem_offset)
            self.defined |= {part for part in layout if isinstance(part, Var) and part not in self.variables}
        self.walk(node)

    def define(self, name: Node) -> None:
        self.defined.add(name)
        if isinstance(name, Buffer):
            self.walk(name)
