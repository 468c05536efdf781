"""Unrolled loops around one vector store: each iteration is written with a constant in place of the variable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tvmscript.ir.arith.fold import make
from tvmscript.ir.core import on
from tvmscript.ir.tir import Expr, IntImm
from tvmscript.ir.tir.expr import BinaryOp
from tvmscript.ir.tir.substitute import Substitution
from tvmscript.ir.transform.loops.unroll_loop.vector_store_nest import is_vector_store_nest

if TYPE_CHECKING:
    from tvmscript.backends.llvm.codegen.codegen import Codegen
    from tvmscript.ir.tir.stmt import For

#: stores up to which the iterations of a loop are written
_MOST: Final = 8192


class _Folding(Substitution):
    """Put constants in the place of variables, and fold."""

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> Expr:
        return make(type(node), self.rewrite(node.a), self.rewrite(node.b), node.span)


def emit_iterations(cg: Codegen, node: For) -> bool:
    """Write the iterations of an unrolled loop one after the other; False where it has to be a loop."""
    if not cg.constants and not is_vector_store_nest(node, _MOST):
        return False
    assert isinstance(node.extent, IntImm)
    var, dtype = node.loop_var, node.loop_var.dtype
    for value in range(node.extent.value):
        cg.constants[var] = IntImm(dtype, value)
        cg.env[var] = cg.wide[var] = str(value)
        cg.statement(node.body)
    cg.constants.pop(var, None)
    if not cg.constants:
        cg.indices.clear()
    return True


def fold_condition(cg: Codegen, condition: Expr) -> Expr:
    """Return a condition with the constants of the iterations that are written."""
    return _Folding(cg.constants).rewrite(condition) if cg.constants else condition
