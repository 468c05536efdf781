"""Memory of the virtual machine."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe
from tvmscript.testing.operator_calls.memory import tensor_in_storage


@recipe("vm.alloc_tensor")
def _tensor(name: str, r: Draws) -> OperatorCall:
    return tensor_in_storage(name, r)
