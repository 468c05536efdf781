"""Planned memory: storage, tensors in it, views."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import ANY, Data, Draws, Sizes
from tvmscript.testing.operator_calls.call import OperatorCall, recipe
from tvmscript.testing.operator_calls.reshape import regrouped


@recipe("memory.view")
def _view(name: str, r: Draws) -> OperatorCall:
    data = r.data(ANY, 1)
    shape = regrouped(r, data.shape)
    return OperatorCall(name, (data, Sizes(shape)), {}, Data(shape, data.dtype))


@recipe("memory.ensure_zero_offset")
def _same(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(),))


@recipe("memory.alloc_tensor")
def tensor_in_storage(name: str, r: Draws) -> OperatorCall:
    storage = r.data()
    return OperatorCall(name, (Data((4,), "uint8"), 0, Sizes(storage.shape), storage.dtype), {}, storage)
