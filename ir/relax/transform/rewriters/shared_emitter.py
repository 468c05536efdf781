"""`SharedEmitter`: emit new values whose parts may occur several times."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import Rewriter, on
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call, If, SeqExpr, TupleGetItem, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.tir import substitute


class SharedEmitter(Rewriter):
    """Brings values to A-normal form. A call that is the same object in several of them is bound once.

    `renamed` maps variables to those that replace them.
    """

    def __init__(self, builder: BlockBuilder, renamed: dict[Any, Any]) -> None:
        super().__init__()
        self.builder = builder
        self.renamed = renamed
        #: call or item -> its variable
        self.emitted: dict[RelaxExpr, Var] = {}

    def outermost(self, value: RelaxExpr) -> RelaxExpr:
        """Emit the parts of a value, and return the value with variables in their place."""
        if isinstance(value, (If, SeqExpr, Function, Var)):
            renamed: RelaxExpr = self.value(value)
            return self.builder.normalize(renamed)
        descended: RelaxExpr = self.descend(value)
        return self.builder.normalize(descended)

    @on(If, SeqExpr, Function)
    def body(self, node: Any) -> Any:
        """Rename the variables of values with bodies; their parts are not visible outside."""
        return substitute(node, self.renamed)

    @on(Call, TupleGetItem)
    def part(self, node: Any) -> Var:
        if node not in self.emitted:
            self.emitted[node] = self.builder.emit(self.descend(node))
        return self.emitted[node]
