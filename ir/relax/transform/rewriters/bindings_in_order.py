"""Order of bindings whose values are replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Var
from tvmscript.ir.relax.variables import free_vars


def bindings_in_order(bindings: Sequence[Any], new_values: Mapping[Var, RelaxExpr]) -> list[Any] | None:
    """Return bindings such that each follows those that its value uses, where `new_values` replace values.

    None where values depend on each other. Bindings keep their order where they can.
    """
    used = {binding.var: set(free_vars(new_values.get(binding.var, binding.value))) for binding in bindings}
    pending = list(bindings)
    unbound = set(used)
    order: list[Any] = []
    while pending:
        index = next((i for i, binding in enumerate(pending) if unbound.isdisjoint(used[binding.var])), None)
        if index is None:
            return None
        binding = pending.pop(index)
        unbound.discard(binding.var)
        order.append(binding)
    return order
