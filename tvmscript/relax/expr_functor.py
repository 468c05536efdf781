"""Visitors and mutators of graphs, under TVM's name `relax.expr_functor`."""

from __future__ import annotations

from tvmscript.ir.relax.functor import PyExprMutator as PyExprMutator
from tvmscript.ir.relax.functor import PyExprVisitor as PyExprVisitor
from tvmscript.ir.relax.functor import mutator as mutator
from tvmscript.ir.relax.functor import visitor as visitor
