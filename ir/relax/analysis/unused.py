"""Bindings that nothing needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import Rewriter, nodes, on
from tvmscript.ir.relax.anf import is_same_sequence
from tvmscript.ir.relax.expr import DataflowBlock, MatchCast, SeqExpr, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.sequence import SequenceBuilder
from tvmscript.ir.relax.variables import contains_impure_call

BINDINGS = (VarBinding, MatchCast)


def remove_all_unused(func: Function) -> Function:
    """The function without bindings whose variable is not used and whose value has no side effects, and without the
    blocks that are left empty. Casts stay: they check. The same object where nothing is unused.
    """
    remover = _BindingRemover(_unused_vars(func))
    made: Function = remover.rewrite(func)
    return made


def _unused_vars(func: Function) -> set[Var]:
    """Variables that nothing needs, or that only such variables need."""
    values = {part.var: part.value for part in nodes(func) if isinstance(part, VarBinding)}
    uses = Counter(_used_vars(func))
    gone: set[Var] = set()
    waiting = [var for var in values if not uses[var]]
    while waiting:
        var = waiting.pop()
        if var in gone or contains_impure_call(values[var]):
            continue
        gone.add(var)
        for used in _used_vars(values[var]):
            uses[used] -= 1
            if not uses[used] and used in values:
                waiting.append(used)
    return gone


def _used_vars(root: Node) -> Iterator[Var]:
    """Each variable as often as it is read; the shape that a definition says of its variable is read too."""
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
    """Takes bindings of these variables out."""

    def __init__(self, gone: set[Var]) -> None:
        super().__init__()
        self.gone = gone

    @on(SeqExpr)
    def sequence(self, node: SeqExpr) -> SeqExpr:
        body = SequenceBuilder()
        for block in node.blocks:
            body.begin(isinstance(block, DataflowBlock))
            kept = (item for item in block.bindings if not isinstance(item, VarBinding) or item.var not in self.gone)
            body.bindings += map(self.rewrite, kept)
        body.close()
        made = SeqExpr(tuple(body.blocks), self.value(node.body), struct_info=node.struct_info)
        return node if is_same_sequence(node, made) else made
