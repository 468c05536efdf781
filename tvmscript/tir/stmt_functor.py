"""TVM's spelling of walks over programs: `tvm.tir.stmt_functor.ir_transform(...)`.

`StmtExprVisitor` and `StmtExprMutator` are what the package's passes are made of: classes whose methods are rules for
kinds of nodes (`@on(tir.BufferStore)`), see the page about passes.
"""

from __future__ import annotations

from tvmscript.ir.core import on
from tvmscript.ir.core.visit import Visitor as StmtExprVisitor
from tvmscript.ir.tir.functor import ir_transform, post_order_visit, pre_order_visit, substitute
from tvmscript.ir.tir.rewrite import TirRewriter as StmtExprMutator
from tvmscript.ir.tir.substitute import rename_definitions as renew_defs

__all__ = [
    "StmtExprMutator",
    "StmtExprVisitor",
    "ir_transform",
    "on",
    "post_order_visit",
    "pre_order_visit",
    "renew_defs",
    "substitute",
]
