"""TopologicalSort: order the bindings of dataflow blocks."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.core import IRModule, Rewriter, WrongType, nodes, on
from tvmscript.ir.relax.expr import DataflowBlock, Tuple, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.variables import free_vars, iter_bindings

_ORDERS: Final = ("depth-first", "breadth-first")
_DIRECTIONS: Final = ("from-inputs", "from-outputs")

#: variable -> neighbours in a graph
Graph = Mapping[Var, Sequence[Var]]


@dataclass(frozen=True)
class TopologicalSort(RelaxFunctionPass):
    """Order the bindings of dataflow blocks, depth or breadth first, from the parameters of the function on, or from
    the outputs of the block back. Raises `WrongType` for other words.
    """

    name = "relax.TopologicalSort"
    order: str = "depth-first"
    direction: str = "from-inputs"

    def __post_init__(self) -> None:
        for name, words in (("order", _ORDERS), ("direction", _DIRECTIONS)):
            if getattr(self, name) not in words:
                expected = f'"{words[0]}" or "{words[1]}"'
                raise WrongType(where=f"{self.name}.{name}", expected=expected, got=repr(getattr(self, name)))

    def transform(self, func: Function, mod: IRModule) -> Function:
        ordered: Function = _BlockSorter(self._positions(func)).rewrite(func)
        return ordered

    def _positions(self, func: Function) -> dict[Var, int]:
        """Return the position of each variable of a function in the order."""
        functions = [part for part in nodes(func) if isinstance(part, Function)]
        producers: dict[Var, list[Var]] = {param: [] for each in functions for param in each.params}
        for binding in iter_bindings(func):
            producers[binding.var] = [var for var in free_vars(binding.value) if var is not binding.var]
        users: dict[Var, list[Var]] = {}
        for var, used in producers.items():
            for producer in used:
                users.setdefault(producer, []).append(var)
        if self.direction == "from-inputs":
            starts = [var for var, used in producers.items() if not used]
            return {var: index for index, var in enumerate(self._order(starts, users, producers))}
        results = [var for var in _mentions(func.body.body) if var not in users]
        starts = [var for var in producers if var not in users and var not in results]
        order = self._order([*starts, *results], producers, users)
        return {var: -index for index, var in enumerate(order)}

    def _order(self, starts: Sequence[Var], neighbours: Graph, requirements: Graph) -> list[Var]:
        """Return variables from `starts` on, each after its requirements (A. B. Kahn, "Topological sorting of large
        networks", 1962). Depth first the variables that are ready are a stack.
        """
        is_backward = self.direction == "from-outputs"
        is_depth_first = self.order == "depth-first"
        order: dict[Var, None] = {}
        # a backward order is reversed afterwards, and so is its stack
        ready = deque(reversed(starts) if is_depth_first and is_backward else starts)
        while ready:
            var = ready.popleft()
            if var in order:
                continue
            order[var] = None
            following = [
                other for other in neighbours.get(var, ()) if all(each in order for each in requirements.get(other, ()))
            ]
            if not is_depth_first:
                ready.extend(following)
            else:
                ready.extendleft(following if is_backward else reversed(following))
        return list(order)


def _mentions(value: object) -> list[Var]:
    """Return the variables of a result in order, each as often as it is mentioned."""
    if isinstance(value, Tuple):
        return [var for field in value.fields for var in _mentions(field)]
    return [value] if isinstance(value, Var) else []


class _BlockSorter(Rewriter):
    """Rewriter of dataflow blocks."""

    def __init__(self, positions: Mapping[Var, int]) -> None:
        super().__init__()
        self.positions = positions

    @on(DataflowBlock)
    def block(self, node: DataflowBlock) -> DataflowBlock:
        bindings: Any = node.bindings
        ordered = tuple(sorted(bindings, key=lambda binding: self.positions[binding.var]))
        return node if ordered == node.bindings else node.replace(bindings=ordered)
