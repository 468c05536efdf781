"""Smaller replacements of a node: one function for each class.

A replacement need not be equivalent or well formed: the caller checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from tvmscript.ir.core import Node, Rewriter, TVMScriptError, nodes, structural_equal
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import BindingBlock, DataflowBlock, SeqExpr, VarBinding
from tvmscript.ir.relax.expr import Call as GraphCall
from tvmscript.ir.relax.expr import If as GraphIf
from tvmscript.ir.relax.expr import Var as GraphVar
from tvmscript.ir.relax.function import Function
from tvmscript.ir.tir import NOOP, Expr, PrimFunc, Stmt, const, is_noop, substitute, uses
from tvmscript.ir.tir import stmt as tir
from tvmscript.ir.tir.expr import BufferLoad, Call, FloatImm, IntImm, StringImm

Items = TypeVar("Items")

#: node class -> its replacements, the smallest first
_RULES: Final[dict[type[Node], Callable[[Any], Iterator[Node]]]] = {}
F = TypeVar("F", bound=Callable[..., Iterator[Node]])


def _for(*types: type[Node]) -> Callable[[F], F]:
    def register(function: F) -> F:
        _RULES.update(dict.fromkeys(types, function))
        return function

    return register


def replacements(node: Node) -> Iterator[Node]:
    """Yield replacements of a node, the smallest first; stop at one that a constructor refuses."""
    try:
        if isinstance(node, Stmt) and not isinstance(node, tir.Block) and not is_noop(node):
            yield NOOP
        yield from _smaller(node)
    except TVMScriptError:
        return


def _smaller(node: Node) -> Iterator[Node]:
    rule = _RULES.get(type(node))
    if rule is not None:
        yield from rule(node)
    if isinstance(node, Expr) and not isinstance(node, RelaxExpr) and not node.is_name:
        yield from _smaller_expr(node)


def without_parts(items: Sequence[Items]) -> Iterator[tuple[Items, ...]]:
    """The items without some that follow each other: half of them, a quarter, ..., one (delta debugging)."""
    length = len(items)
    chunk = length // 2
    while chunk:
        for begin in range(0, length, chunk):
            yield (*items[:begin], *items[begin + chunk :])
        chunk //= 2


# Statements


@_for(tir.SeqStmt)
def _sequence(node: tir.SeqStmt) -> Iterator[Node]:
    for parts in without_parts(node.seq):
        yield tir.seq(*parts)


@_for(tir.For)
def _loop(node: tir.For) -> Iterator[Node]:
    yield substitute(node.body, {node.loop_var: node.min})
    if node.annotations:
        yield node.replace(annotations={})
    if node.kind is not tir.ForKind.SERIAL:
        yield node.replace(kind=tir.ForKind.SERIAL, thread_binding=None)
    if isinstance(node.extent, IntImm):
        for extent in _smaller_number(node.extent.value):
            yield node.replace(extent=const(extent, node.extent.dtype))
    else:
        yield node.replace(extent=const(1, node.extent.dtype))


@_for(tir.IfThenElse)
def _branch(node: tir.IfThenElse) -> Iterator[Node]:
    yield node.then_case
    if node.else_case is not None:
        yield node.else_case
        yield node.replace(else_case=None)


@_for(tir.LetStmt)
def _let(node: tir.LetStmt) -> Iterator[Node]:
    yield substitute(node.body, {node.var: node.value})


@_for(tir.While, tir.AttrStmt, tir.AssertStmt, tir.DeclBuffer, tir.Allocate, tir.AllocateConst)
def _around(node: Any) -> Iterator[Node]:
    yield node.body


@_for(tir.BlockRealize)
def _realize(node: tir.BlockRealize) -> Iterator[Node]:
    block, axes = (
        node.block,
        {axis.var: value for axis, value in zip(node.block.iter_vars, node.iter_values, strict=True)},
    )
    # the text of a function with blocks means a root block around them
    is_needed = block.name_hint == "root" and any(isinstance(part, tir.Block) for part in nodes(block.body))
    if not block.alloc_buffers and not block.match_buffers and not is_needed:
        yield substitute(block.body, axes)
    for place, axis in enumerate(block.iter_vars):
        rest = block.replace(iter_vars=(*block.iter_vars[:place], *block.iter_vars[place + 1 :]))
        values = (*node.iter_values[:place], *node.iter_values[place + 1 :])
        inside = substitute(rest, {axis.var: node.iter_values[place]})
        yield node.replace(iter_values=values, block=inside)
    if not (isinstance(node.predicate, IntImm) and node.predicate.value):
        yield node.replace(predicate=const(True))


@_for(tir.Block)
def _block(node: tir.Block) -> Iterator[Node]:
    if node.init is not None:
        yield node.replace(init=None)
    if node.annotations:
        yield node.replace(annotations={})
    used = uses((node.body, node.init, node.match_buffers))
    kept = tuple(buffer for buffer in node.alloc_buffers if buffer in used or buffer.data in used)
    if len(kept) < len(node.alloc_buffers):
        yield node.replace(alloc_buffers=kept)
    for name in ("reads", "writes"):
        if getattr(node, name):
            yield node.replace(**{name: ()})


# Expressions


def _smaller_number(value: int) -> Iterator[int]:
    for less in (0, 1, 2, value // 2, value - 1):
        if 0 <= less < value:
            yield less


def _smaller_expr(node: Expr) -> Iterator[Node]:
    if isinstance(node, IntImm):
        for value in () if node.dtype.is_bool else _smaller_number(node.value):
            yield IntImm(node.dtype, value)
        return
    if isinstance(node, (FloatImm, StringImm)) or not (node.dtype.is_integer or node.dtype.is_floating):
        return
    for part in _parts(node):
        if part.dtype is node.dtype:
            yield part
    if node.dtype.lanes == 1:
        yield const(0, node.dtype)
        yield const(1, node.dtype)


def _parts(node: Expr) -> Iterator[Expr]:
    """The expressions that a value is made of; indices are of another kind."""
    if isinstance(node, BufferLoad):
        return
    fields = ("args",) if isinstance(node, Call) else node.schema.walked
    for name in fields:
        value = getattr(node, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Expr):
                yield part


@_for(tir.Evaluate)
def _evaluate(node: tir.Evaluate) -> Iterator[Node]:
    for part in _parts(node.value):
        yield tir.Evaluate(part)


@_for(tir.BufferStore)
def _store(node: tir.BufferStore) -> Iterator[Node]:
    yield tir.Evaluate(node.value)
    if node.predicate is not None:
        yield node.replace(predicate=None)


# Functions


@_for(PrimFunc)
def _kernel(node: PrimFunc) -> Iterator[Node]:
    yield from _fewer_attributes(node)
    used = uses((node.body, [buffer.shape for buffer in node.buffer_map.values()]))
    for param in node.params:
        buffer = node.buffer_map.get(param)
        if param not in used and (buffer is None or not used & {buffer, buffer.data}):
            params = tuple(each for each in node.params if each is not param)
            yield node.replace(params=params, buffer_map=_without(node.buffer_map, param))


def _fewer_attributes(node: PrimFunc | Function) -> Iterator[Node]:
    for key in node.attrs:
        if key != "global_symbol":
            yield node.replace(attrs=_without(node.attrs, key))


def _without(items: Mapping[Any, Any], key: Any) -> dict[Any, Any]:
    return {name: value for name, value in items.items() if name is not key}


# Graphs


@_for(Function)
def _graph(node: Function) -> Iterator[Node]:
    yield from _fewer_attributes(node)
    used = uses(node.body)
    for param in node.params:
        if param not in used:
            yield Function(tuple(each for each in node.params if each is not param), node.body, attrs=node.attrs,
                           is_pure=node.is_pure)  # fmt: skip


@_for(SeqExpr)
def _sequence_of_blocks(node: SeqExpr) -> Iterator[Node]:
    for block in node.blocks:
        for binding in block.bindings:
            if isinstance(binding, VarBinding) and type(binding.var) is GraphVar and binding.var is not node.body:
                yield SeqExpr(node.blocks, binding.var)
    for block in node.blocks:
        for binding in block.bindings:
            if isinstance(binding, VarBinding) and isinstance(binding.value, (GraphCall, GraphVar)):
                yield from _without_value(node, block, binding)
            elif isinstance(binding, VarBinding) and isinstance(binding.value, GraphIf):
                yield from _without_branch(node, block, binding, binding.value)
    blocks = tuple(block for block in node.blocks if block.bindings)
    if len(blocks) < len(node.blocks):
        yield node.replace(blocks=blocks)


def _without_value(node: SeqExpr, block: BindingBlock, binding: VarBinding) -> Iterator[SeqExpr]:
    """Without a binding: its value's argument of the same kind, or the variable that it is, stands for it."""
    rest = block.replace(bindings=tuple(each for each in block.bindings if each is not binding))
    others = node.replace(blocks=tuple(rest if each is block else each for each in node.blocks))
    value = binding.value
    for argument in value.args if isinstance(value, GraphCall) else (value,):
        if isinstance(argument, GraphVar) and structural_equal(argument.struct_info, binding.var.struct_info):
            yield substitute(others, {binding.var: argument})
            # the argument may be seen in its block alone: then it takes the name that is seen further on
            yield _Renamed({argument: binding.var}).rewrite(others)


def _without_branch(node: SeqExpr, block: BindingBlock, binding: VarBinding, value: GraphIf) -> Iterator[SeqExpr]:
    """One of two branches is always taken."""
    place = block.bindings.index(binding)
    before = block.replace(bindings=block.bindings[:place])
    for branch in (value.true_branch, value.false_branch):
        after = block.replace(bindings=(binding.replace(value=branch.body), *block.bindings[place + 1 :]))
        parts = (before, *branch.blocks, after)
        yield node.replace(blocks=tuple(part for each in node.blocks for part in (parts if each is block else (each,))))


class _Renamed(Rewriter):
    """Other names, where they are defined too."""

    def __init__(self, names: Mapping[Node, Node]) -> None:
        super().__init__()
        self.renamed.update(names)

    def define(self, name: Any) -> Any:
        return self.renamed.get(name, name)


@_for(BindingBlock, DataflowBlock)
def _bindings(node: BindingBlock) -> Iterator[Node]:
    for kept in without_parts(node.bindings):
        yield node.replace(bindings=kept)
