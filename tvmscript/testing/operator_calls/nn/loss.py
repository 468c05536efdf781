"""Losses."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import FLOATS, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("nn.cross_entropy_with_logits")
def _cross_entropy(name: str, r: Draws) -> OperatorCall:
    data = r.data(FLOATS, 1)
    return OperatorCall(name, (data, data))


def scored(r: Draws) -> tuple[Data, Data, Data]:
    """Draw predictions, targets, and class weights."""
    classes, more = r.size(), r.shape(0, 2)
    if r.random() < 0.2:
        return Data((classes,)), Data((), "int64"), Data((classes,))
    batch = r.size()
    return Data((batch, classes, *more)), Data((batch, *more), "int64"), Data((classes,))


@recipe("nn.nll_loss")
def _nll(name: str, r: Draws) -> OperatorCall:
    scores, targets, weights = scored(r)
    args = (scores, targets, weights) if r.random() < 0.7 else (scores, targets)
    return OperatorCall(name, args, {"reduction": r.choice(("none", "none", "mean", "sum"))})
