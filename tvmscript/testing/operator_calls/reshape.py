"""Reshape operators."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import ANY, Draws, Sizes
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("flatten")
def _flatten(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(),))


@recipe("reshape")
def _reshape(name: str, r: Draws) -> OperatorCall:
    data = r.data(ANY, 1)
    return OperatorCall(name, (data, Sizes(regrouped(r, data.shape))))


def regrouped(r: Draws, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Draw another shape with as many elements."""
    extents = [*shape]
    r.shuffle(extents)
    if len(extents) > 1 and r.random() < 0.5:
        extents = [extents[0] * extents[1], *extents[2:]]
    if r.random() < 0.2:
        extents.insert(r.randint(0, len(extents)), 1)
    return tuple(extents)
