"""Print blocks."""

from __future__ import annotations

from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.tir import Block, BlockRealize, Expr, IterKind, IterVar, MatchBufferRegion
from tvmscript.printer.attribute_values import dictionary
from tvmscript.printer.errors import NoText
from tvmscript.printer.literals import string
from tvmscript.printer.printer import Printer, stmt_rule
from tvmscript.printer.tir.buffers import buffer_hint, declaration, name_parts
from tvmscript.printer.tir.exprs import sum_text

_AXES = {
    IterKind.DATA_PAR: "spatial",
    IterKind.COMM_REDUCE: "reduce",
    IterKind.ORDERED: "scan",
    IterKind.OPAQUE: "opaque",
}
_REMAPPED = {IterKind.DATA_PAR: "S", IterKind.COMM_REDUCE: "R"}


@stmt_rule(BlockRealize)
def _block_realize(p: Printer, node: BlockRealize) -> None:
    _block(p, node.block, node)


@stmt_rule(Block)
def _bare_block(p: Printer, node: Block) -> None:
    _block(p, node, None)


def _block(p: Printer, block: Block, realize: BlockRealize | None) -> None:
    name = string(block.name_hint)
    p.write(f"with {p.tir}{p.spelling.block}({name}{'' if realize else ', no_realize=True'}):")
    frame = p.open_scope(block)
    if block.iter_vars:
        _axes(p, block, realize)
    if realize is not None and not is_true(realize.predicate):
        p.write(f"{p.tir}where({p.expr(realize.predicate)})")
    p.write(f"{p.tir}reads({p.exprs(block.reads)})")
    p.write(f"{p.tir}writes({p.exprs(block.writes)})")
    if block.annotations:
        p.write(f"{p.tir}{p.spelling.block_attr}({dictionary(p, block.annotations)})")
    allocations(p, block)
    for match in block.match_buffers:
        match_buffer(p, match)
    if block.init is not None:
        frame.mark = len(p.lines)
        p.write(f"with {p.tir}init():")
        p.open_scope(block.init)
        p.write_body(block.init)
        p.close_scope()
    p.write_body(block.body)
    p.close_scope()


def allocations(p: Printer, block: Block) -> None:
    """Write the buffers that a block allocates, in the innermost scope."""
    frame = p.frames[-1]
    for buffer in block.alloc_buffers:
        name = p.define(buffer, buffer_hint(buffer))
        call = declaration(p, buffer, p.spelling.alloc_buffer, frame)
        name_parts(p, buffer, name, frame)
        p.write(f"{name} = {call}")


@stmt_rule(MatchBufferRegion)
def match_buffer(p: Printer, match: MatchBufferRegion) -> None:
    """Write a buffer that matches a region."""
    frame = p.frames[-1]
    name = p.define(match.buffer, buffer_hint(match.buffer))
    call = declaration(p, match.buffer, "match_buffer", frame, first=p.expr(match.source))
    name_parts(p, match.buffer, name, frame)
    p.write(f"{name} = {call}")


def _axes(p: Printer, block: Block, realize: BlockRealize | None) -> None:
    """Write the block axes: those bound to whole loops as one T.axis.remap, the others one by one."""
    remapped: list[int] = []
    for index, axis in enumerate(block.iter_vars):
        if realize is not None and p.sugar and _is_bound_to_loop(p, axis, realize.iter_values[index]):
            remapped.append(index)
            continue
        _remap(p, block, realize, remapped)
        remapped = []
        _axis(p, axis, realize, index)
    _remap(p, block, realize, remapped)


def _is_bound_to_loop(p: Printer, axis: IterVar, binding: Expr) -> bool:
    """Whether an axis is bound to a loop variable and has the domain of the loop."""
    loop = p.loops.get(binding)
    if loop is None or axis.iter_type not in _REMAPPED or axis.dom is None:
        return False
    return expr_deep_equal(loop.min, axis.dom.min) and expr_deep_equal(loop.extent, axis.dom.extent)


def _remap(p: Printer, block: Block, realize: BlockRealize | None, indices: list[int]) -> None:
    if len(indices) < 2 or realize is None:
        for index in indices:
            _axis(p, block.iter_vars[index], realize, index)
        return
    axes = [block.iter_vars[index] for index in indices]
    names = [p.bind(axis.var, axis.var.name or "v") for axis in axes]
    kinds = "".join([_REMAPPED[axis.iter_type] for axis in axes])
    bindings = p.exprs(tuple([realize.iter_values[index] for index in indices]))
    p.write(f'{", ".join(names)} = {p.tir}axis.remap("{kinds}", [{bindings}])')


def _axis(p: Printer, axis: IterVar, realize: BlockRealize | None, index: int) -> None:
    function = _AXES.get(axis.iter_type)
    if function is None or axis.dom is None:
        raise NoText(what=f"a block axis of kind {axis.iter_type.name} over {axis.dom}")
    low, extent = axis.dom.min, axis.dom.extent
    if getattr(low, "value", None) == 0:
        domain = p.expr(extent)
    else:
        domain = f"({p.expr(low)}, {sum_text(p, low, extent)})"
    if realize is not None:
        domain += f", {p.expr(realize.iter_values[index])}"
    name = p.bind(axis.var, axis.var.name or "v")
    p.write(f"{name} = {p.tir}axis.{function}({domain})")
