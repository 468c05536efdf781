"""Substitution of variables, and copies with fresh bound names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from tvmscript.ir.core import Node, on
from tvmscript.ir.core.budget import CURRENT, MAX_COPIES, MAX_OPERAND
from tvmscript.ir.core.errors import OperandTooLarge
from tvmscript.ir.core.visit import INNER, KINDS, LEAF, MAPPING, SEQUENCE
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Let
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Block
from tvmscript.ir.tir.var import Var

N = TypeVar("N", bound=Node)


class Substitution(TirRewriter):
    """Rewriter that replaces uses of variables."""

    def __init__(self, values: Mapping[Any, Node]) -> None:
        super().__init__()
        self.renamed.update(values)
        #: what the program defines
        self.defined: set[Any] = set()

    @on(Buffer)
    def buffer(self, node: Buffer) -> Any:
        """Rewrite a used buffer; an undeclared one follows its data variable, and the program that allocates it."""
        renamed = self.renamed.get(node)
        if renamed is None and (node.data in self.defined or isinstance(self.renamed.get(node.data), Var)):
            renamed = self.renamed[node] = self.descend(node)
        return node if renamed is None else renamed

    def define(self, name: Any) -> Any:
        self.defined.add(name)
        return super().define(name)

    @on(Let)
    def let(self, node: Let) -> Expr:
        """Give a `let` whose value changes a variable of its own: other copies of it may have other values."""
        value = self.rewrite(node.value)
        if value is node.value:
            return node.rebuild(body=self.rewrite(node.body))
        var = self.renamed[node.var] = node.var.replace()
        return Let(var, value, self.rewrite(node.body), span=node.span)


def substitute(program: N, values: Mapping[Any, Node]) -> N:
    """Replace the uses of variables and buffers in a program.

    A buffer that the program itself introduces follows when its shape, strides or data are replaced.
    The same object is returned where nothing is replaced.
    """
    substituted: N = Substitution(values).rewrite(program) if values else program
    return substituted


class _Renaming(Substitution):
    """Rewriter that renames every definition and its uses."""

    def define(self, name: Any) -> Any:
        renamed = name.replace() if isinstance(name, Var) else self.descend(name)
        if renamed is name:
            renamed = name.replace()
        self.renamed[name] = renamed
        return renamed

    @on(Let)
    def let(self, node: Let) -> Expr:
        return self.descend(node)

    @on(Buffer)
    def used(self, node: Buffer) -> Any:
        """Rename an undeclared buffer if its layout is renamed."""
        renamed = self.renamed.get(node)
        if renamed is None:
            renamed = self.renamed[node] = self.descend(node)
        return renamed

    def matched(self, buffer: Buffer) -> None:
        """Rename the data of a matched buffer and the variables that its layout defines."""
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
    """Substitute, and with `is_fresh` also rename definitions, in one walk."""
    result: N = (_Renaming if is_fresh else Substitution)(values).rewrite(program)
    return result


def rename_definitions(program: N) -> N:
    """Return a copy in which every bound variable and buffer is a fresh object of the same name.

    Two copies can stand in one function without sharing a definition. An expression without definitions is returned
    itself. Raises `OperandTooLarge` for an expression whose copies grow a program without bounds.
    """
    if isinstance(program, Expr) and not _has_definitions(program):
        return program
    return copied(program, {}, is_fresh=True)


def _has_definitions(expr: Expr) -> bool:
    """Whether an expression binds variables. Each node is visited once, however often it occurs.

    Its nodes, counted at each occurrence, are taken from the budget of the text. Raises `OperandTooLarge`.
    """
    has_definitions = False
    #: node -> its nodes with those of its parts; None while these are visited
    sizes: dict[int, int | None] = {}
    stack: list[Any] = [expr]
    while stack:
        item = stack[-1]
        key = id(item)
        if sizes.get(key, 0):
            stack.pop()
            continue
        parts = _parts(item)
        if key not in sizes and parts:
            sizes[key] = None
            stack += [part for part in parts if id(part) not in sizes]
            continue
        stack.pop()
        if isinstance(item, Node) and not item.is_name and item.schema.binds:
            has_definitions = True
        size = sizes[key] = 1 + sum([sizes[id(part)] or 0 for part in parts])
        if size > MAX_OPERAND:
            raise OperandTooLarge(limit=MAX_OPERAND)
    budget = CURRENT.get()
    if budget is not None:
        budget.copies -= sizes[id(expr)] or 0
        if budget.copies < 0:
            raise OperandTooLarge(limit=MAX_COPIES)
    return has_definitions


def _parts(item: object) -> list[object]:
    """Return what a traversal visits below a node or container."""
    if isinstance(item, Node):
        return [] if item.is_name else [part for part in item.schema.last_parts_first(item) if _is_walked(part)]
    if isinstance(item, (tuple, list)):
        return [part for part in item if _is_walked(part)]
    return [part for part in item.values() if _is_walked(part)] if isinstance(item, dict) else []


def _is_walked(part: object) -> bool:
    return isinstance(part, (Node, tuple, list, dict))


def uses(program: object) -> set[Any]:
    """Return the variables and buffers that a program uses, bound ones and data variables of buffers included."""
    names: set[Any] = set()
    kinds = KINDS
    stack: list[Any] = [program]
    pop = stack.pop
    while stack:
        item = pop()
        kind = kinds[item.__class__]
        if kind is INNER:
            stack += item.schema.last_parts_first(item)
        elif kind is LEAF:
            if item.is_name:
                names.add(item)
                if isinstance(item, Buffer):
                    names.add(item.data)
        elif kind is SEQUENCE:
            stack += item
        elif kind is MAPPING:
            stack += item.values()
    return names
