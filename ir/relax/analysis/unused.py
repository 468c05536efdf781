"""Removal of dead bindings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from tvmscript.ir.core import Node, Rewriter, nodes, on
from tvmscript.ir.relax.anf import is_same_sequence
from tvmscript.ir.relax.expr import DataflowBlock, If, MatchCast, SeqExpr, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.sequence import SequenceBuilder
from tvmscript.ir.relax.variables import contains_impure_call

BINDINGS = (VarBinding, MatchCast)


def remove_all_unused(func: Function) -> Function:
    """Remove bindings of unused variables whose values have no side effects, then empty blocks. Casts are kept, since
    they are checks. Returns the same object where nothing is unused.
    """
    unused = _unused_vars(func)
    if not unused and all(_is_tidy(part) for part in nodes(func) if isinstance(part, SeqExpr)):
        return func
    rewritten: Function = _BindingRemover(unused).rewrite(func)
    return rewritten


def _is_tidy(sequence: SeqExpr) -> bool:
    """Whether no block of a sequence is empty, or of the kind of the one before it."""
    blocks = sequence.blocks
    return all(block.bindings for block in blocks) and all(type(a) is not type(b) for a, b in pairwise(blocks))


def _unused_vars(func: Function) -> set[Var]:
    """Return the variables without live uses."""
    values = {part.var: part.value for part in nodes(func) if isinstance(part, VarBinding)}
    uses = Counter(_used_vars(func))
    unused: set[Var] = set()
    worklist = [var for var in values if not uses[var]]
    while worklist:
        var = worklist.pop()
        if var in unused or contains_impure_call(values[var]):
            continue
        unused.add(var)
        for used, count in _own_uses(values[var]).items():
            uses[used] -= count
            if not uses[used] and used in values:
                worklist.append(used)
    return unused


def _own_uses(value: Node) -> Counter[Var]:
    """Count the uses of a value without those of the bindings inside, which end with their own variables."""
    uses = Counter(_used_vars(value))
    if isinstance(value, (If, Function, SeqExpr)):
        for part in nodes(value):
            if isinstance(part, VarBinding):
                uses.subtract(_own_uses(part.value))
    return uses


def _used_vars(root: Node) -> Iterator[Var]:
    """Yield each variable once per use. Shape variables in the struct info of a definition are uses."""
    if isinstance(root, Var):
        yield root
        return
    defined: Counter[Node] = Counter()
    for part in nodes(root):
        names = part.params if isinstance(part, Function) else (part.var,) if isinstance(part, BINDINGS) else ()
        for name in names:
            defined[name] += 1
            if name.struct_info is not None:
                yield from (inner for inner in nodes(name.struct_info) if isinstance(inner, Var))
        if isinstance(part, Var):
            if defined[part]:
                defined[part] -= 1
            else:
                yield part


class _BindingRemover(Rewriter):
    """Removes the bindings of some variables."""

    def __init__(self, unused: set[Var]) -> None:
        super().__init__()
        self.unused = unused

    @on(SeqExpr)
    def sequence(self, node: SeqExpr) -> SeqExpr:
        body = SequenceBuilder()
        for block in node.blocks:
            body.begin(isinstance(block, DataflowBlock))
            live = [
                binding
                for binding in block.bindings
                if not isinstance(binding, VarBinding) or binding.var not in self.unused
            ]
            body.bindings += map(self.rewrite, live)
        body.close()
        sequence = SeqExpr(tuple(body.blocks), self.value(node.body), struct_info=node.struct_info)
        return node if is_same_sequence(node, sequence) else sequence
