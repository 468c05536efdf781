"""Putting values in the place of variables, and copies whose bound names are fresh."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Block
from tvmscript.ir.tir.var import Var

N = TypeVar("N", bound=Node)


class Substitution(TirRewriter):
    """Puts values in the place of variables where they are used."""

    def __init__(self, values: Mapping[Any, Node]) -> None:
        super().__init__()
        self.renamed.update(values)

    @on(Buffer)
    def buffer(self, node: Buffer) -> Any:
        """A buffer where it is used: one without a declaration follows the memory that it is over."""
        renamed = self.renamed.get(node)
        if renamed is None and isinstance(self.renamed.get(node.data), Var):
            renamed = self.renamed[node] = self.descend(node)
        return node if renamed is None else renamed


def substitute(program: N, values: Mapping[Any, Node]) -> N:
    """The program with variables (and buffers) replaced where they are used.

    A buffer that the program itself introduces follows when its shape, strides or data are replaced.
    The same object is returned where nothing is replaced.
    """
    substituted: N = Substitution(values).rewrite(program) if values else program
    return substituted


class _Renaming(Substitution):
    """Every definition becomes a new object; uses follow."""

    def define(self, name: Any) -> Any:
        renamed = name.replace() if isinstance(name, Var) else self.descend(name)
        if renamed is name:
            renamed = name.replace()
        self.renamed[name] = renamed
        return renamed

    @on(Buffer)
    def used(self, node: Buffer) -> Any:
        """A buffer without a declaration follows what its layout is renamed of."""
        renamed = self.renamed.get(node)
        if renamed is None:
            renamed = self.renamed[node] = self.descend(node)
        return renamed

    def matched(self, buffer: Buffer) -> None:
        """A buffer that brings its data, and what its shape and layout match, with it."""
        for part in (buffer.data, *buffer.shape, *buffer.strides, buffer.elem_offset):
            if isinstance(part, Var) and part not in self.renamed:
                self.renamed[part] = part.replace()

    @on(Block)
    def block(self, node: Block) -> Any:
        for buffer in node.alloc_buffers:
            self.renamed[buffer.data] = buffer.data.replace()
        for match in node.match_buffers:
            self.matched(match.buffer)
        return self.descend(node)

    @on(PrimFunc)
    def function(self, node: PrimFunc) -> Any:
        for buffer in node.buffer_map.values():
            self.matched(buffer)
        return self.descend(node)


def copied(program: N, values: Mapping[Any, Node], is_fresh: bool) -> N:
    """`substitute`, and where `is_fresh` also `rename_definitions`, in one walk."""
    result: N = (_Renaming if is_fresh else Substitution)(values).rewrite(program)
    return result


def rename_definitions(program: N) -> N:
    """A copy in which every variable and buffer that the program binds is a fresh object of the same name.

    Two copies can stand in one function without sharing a definition.
    """
    return copied(program, {}, is_fresh=True)


def uses(program: Any) -> set[Any]:
    """Variables and buffers that the program uses, those it binds itself included; the data of used buffers counts."""
    names: set[Any] = set()
    stack: list[Any] = [program]
    while stack:
        item = stack.pop()
        if isinstance(item, Node):
            if item.is_name:
                names.add(item)
                if isinstance(item, Buffer):
                    names.add(item.data)
            else:
                stack += item.schema.last_parts_first(item)
        elif isinstance(item, tuple | list):
            stack += item
        elif isinstance(item, dict):
            stack += item.values()
    return names
