"""Recursive graph functions of a module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tvmscript.ir.core import GlobalVar, IRModule
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.variables import all_global_vars


def detect_recursion(mod: IRModule) -> list[list[GlobalVar]]:
    """Return the groups of mutually recursive graph functions: strongly connected components of the call graph.

    A reference to a function counts as a call. Groups and their functions are in module order.
    """
    functions = {var.name_hint: var for var, func in mod.functions.items() if isinstance(func, Function)}
    called = {var: [name.name_hint for name in all_global_vars(mod[var])] for var in functions.values()}
    calls = {var: [functions[name] for name in names if name in functions] for var, names in called.items()}
    place = {var: number for number, var in enumerate(calls)}
    groups = [
        sorted(group, key=place.__getitem__)
        for group in _strongly_connected_components(calls)
        if len(group) > 1 or group[0] in calls[group[0]]
    ]
    return sorted(groups, key=lambda group: place[group[0]])


def _strongly_connected_components(calls: Mapping[GlobalVar, Sequence[GlobalVar]]) -> Iterator[list[GlobalVar]]:
    """Yield the strongly connected components by Tarjan's algorithm (R. Tarjan, "Depth-first search and linear graph
    algorithms", 1972), without recursion, since call chains may be long.
    """
    order: dict[GlobalVar, int] = {}
    low: dict[GlobalVar, int] = {}
    open_: list[GlobalVar] = []
    done: set[GlobalVar] = set()
    for root in calls:
        if root in order:
            continue
        work = [(root, iter(calls[root]))]
        order[root] = low[root] = len(order)
        open_.append(root)
        while work:
            var, rest = work[-1]
            for other in rest:
                if other not in order:
                    order[other] = low[other] = len(order)
                    open_.append(other)
                    work.append((other, iter(calls[other])))
                    break
                if other not in done:
                    low[var] = min(low[var], order[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[var])
                if low[var] == order[var]:
                    begin = open_.index(var)
                    group, open_[begin:] = open_[begin:], []
                    done.update(group)
                    yield group
