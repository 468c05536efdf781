"""Whether two expressions are written the same."""

from __future__ import annotations

from tvmscript.ir.arith.value_numbering import same
from tvmscript.ir.tir.base import Expr


def expr_deep_equal(lhs: Expr, rhs: Expr) -> bool:
    """Whether two expressions are written the same, variables and buffers compared by identity.

    Unlike `structural_equal` it gives no two names the same meaning: `let x = 1 in x` is not `let y = 1 in y`.
    """
    return same(lhs, rhs)
