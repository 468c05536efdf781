"""TVM's front door `tvm.relax.expr_functor`: visitors and mutators of Relax expressions."""

from __future__ import annotations

from tvmscript.ir.relax.functor import PyExprMutator as PyExprMutator
from tvmscript.ir.relax.functor import PyExprVisitor as PyExprVisitor
from tvmscript.ir.relax.functor import mutator as mutator
from tvmscript.ir.relax.functor import visitor as visitor
