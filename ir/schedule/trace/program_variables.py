"""Variables of the program in the arguments of a trace: symbolic sizes in an index map, for example.

A trace refers to them by name: where it is replayed, they become the variables of the function at hand.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from tvmscript.ir.analysis.undefined_vars import undefined_vars
from tvmscript.ir.core import Node
from tvmscript.ir.tir import Buffer, PrimFunc, Var, uses
from tvmscript.ir.tir.index_map import IndexMap


def free_variables(value: Any) -> set[Var]:
    """Return the variables of an argument that are not defined in it."""
    if isinstance(value, (list, tuple)):
        return set().union(*map(free_variables, value))
    if isinstance(value, dict):
        return free_variables(list(value.values()))
    if isinstance(value, IndexMap):
        return free_variables((*value.final_indices, value.inverse_index_map)).difference(value.initial_indices)
    return set(undefined_vars(value)) if isinstance(value, Node) else set()


def variables_by_name(function: PrimFunc) -> dict[str, list[Var]]:
    """Return the variables of a function by their names, several where names are not unique."""
    names = uses(function)
    names |= uses([part for each in names if isinstance(each, Buffer) for part in (each.shape, each.strides)])
    named: defaultdict[str, list[Var]] = defaultdict(list)
    for name in names:
        if isinstance(name, Var):
            named[name.name].append(name)
    return named
