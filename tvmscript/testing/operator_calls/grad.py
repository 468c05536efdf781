"""Gradient operators."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe
from tvmscript.testing.operator_calls.index import take
from tvmscript.testing.operator_calls.nn.loss import scored
from tvmscript.testing.operator_calls.nn.pool import pooled


@recipe("grad.no_grad", "grad.start_checkpoint", "grad.end_checkpoint")
def _same(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(),))


@recipe("grad.max_pool2d_backward", "grad.avg_pool2d_backward")
def _pool_backward(name: str, r: Draws) -> OperatorCall:
    data, attrs = pooled(r, 2)
    return OperatorCall(name, (Data(r.shape()), data), attrs, data)


@recipe("grad.nll_loss_backward")
def _nll_backward(name: str, r: Draws) -> OperatorCall:
    inputs = scored(r)
    return OperatorCall(name, (Data(()), *inputs), {}, inputs[0])


@recipe("grad.take_backward")
def _take_backward(name: str, r: Draws) -> OperatorCall:
    call = take("take", r)
    data, indices = call.args
    axis = call.attrs["axis"] % len(data.shape)
    gradient = Data((*data.shape[:axis], *indices.shape, *data.shape[axis + 1 :]), data.dtype)
    return OperatorCall(name, (gradient, data, indices), {"axis": axis}, data)
