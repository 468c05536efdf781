"""Search and selection of elements."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import ANY, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("argmax", "argmin")
def _place(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1, 4)
    return OperatorCall(name, (Data(shape, r.choice(ANY)),), r.given(axis=r.axis(len(shape)), keepdims=r.flag()))


@recipe("bucketize")
def _bucketize(name: str, r: Draws) -> OperatorCall:
    args = (r.data(), Data((r.size(),), r.choice(ANY)))
    return OperatorCall(name, args, r.given(out_int32=r.flag(), right=r.flag()))


@recipe("where")
def _where(name: str, r: Draws) -> OperatorCall:
    shape, dtype = r.shape(), r.choice(ANY)
    shapes = [shape, r.broadcastable(shape), r.broadcastable(shape)]
    r.shuffle(shapes)
    return OperatorCall(name, (Data(shapes[0], "bool"), Data(shapes[1], dtype), Data(shapes[2], dtype)))
