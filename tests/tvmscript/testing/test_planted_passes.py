"""Passes with bugs that people write: the strategies have programs that show them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

from tvmscript import tir
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.testing import oracles
from tvmscript.testing.errors import PassChangesValues
from tvmscript.testing.kernels import kernels
from tvmscript.testing.strategies import block_funcs
from tvmscript.tir.stmt_functor import StmtExprMutator, on
from tvmscript.tir.transform import Apply


class Truncated(StmtExprMutator):
    """Divisions round towards zero."""

    @on(tir.FloorDiv)
    def division(self, node: Any) -> Expr:
        node = self.descend(node)
        return tir.Div(node.a, node.b)


class Folded(StmtExprMutator):
    """Casts to a narrower float and back are removed."""

    @on(tir.Cast)
    def cast(self, node: Any) -> Expr:
        node = self.descend(node)
        value: Any = node.value
        folds = isinstance(value, tir.Cast) and value.dtype.is_floating and value.value.dtype == node.dtype
        result: Expr = value.value if folds else node
        return result


def rewrite(mutator: type[StmtExprMutator]) -> Apply:
    def apply(func: PrimFunc) -> PrimFunc:
        body: Stmt = mutator().rewrite(func.body)
        return func.with_body(body)

    return Apply(apply)


@pytest.mark.parametrize(
    ("mutator", "strategy"), [(Truncated, kernels("rounded")), (Folded, kernels("rounded")), (Folded, block_funcs())]
)
def test_found(mutator: type[StmtExprMutator], strategy: SearchStrategy[PrimFunc]) -> None:
    @settings(
        max_examples=600, phases=[Phase.generate], derandomize=True, deadline=None, database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )  # fmt: skip
    @given(strategy)
    def check(func: Any) -> None:
        oracles.pass_keeps(rewrite(mutator), func)

    with pytest.raises(PassChangesValues):
        check()
