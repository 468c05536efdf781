"""`PatternContext`: match a graph of patterns in a dataflow block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tvmscript.ir.relax.dpl.constraints import Constraints, Edge
from tvmscript.ir.relax.dpl.matcher import Matcher
from tvmscript.ir.relax.dpl.pattern import DFPattern
from tvmscript.ir.relax.expr import Call, DataflowBlock, MatchCast, Tuple, Var, VarBinding
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import shapes_provably_equal
from tvmscript.ir.relax.variables import all_vars, udchain

#: pattern -> the variable that it matched
GraphMatches = dict[DFPattern, Var]


class PatternContext(Constraints):
    """`with PatternContext() as ctx:` records which patterns use which. With `incremental`, the constraints of the open
    context hold too. Raises `BuilderMisuse`.

    with PatternContext() as ctx:
        product = is_op("relax.matmul")(wildcard(), wildcard())
        product.only_used_by(is_op("relax.nn.relu")(product))
    matches = ctx.match_dfb(block)
    """

    def __enter__(self) -> PatternContext:
        super().__enter__()
        return self

    def match_dfb(self, dfb: DataflowBlock) -> GraphMatches | None:
        """Return a variable for each pattern that has a constraint, such that all constraints hold, None where there is
        none. Different patterns match different variables. The search prefers variables that are bound early.
        """
        return _GraphMatcher(self, dfb).search()


class _GraphMatcher:
    """Search for a subgraph of a block by backtracking (J. R. Ullmann, "An algorithm for subgraph isomorphism", 1976,
    without refinement).
    """

    def __init__(self, constraints: Constraints, block: DataflowBlock) -> None:
        self.edges = tuple(constraints.edges)
        self.same_shapes = constraints.same_shapes
        self.patterns = tuple(dict.fromkeys(part for edge in self.edges for part in (edge.producer, edge.consumer)))
        #: variable -> its value
        self.values: dict[Any, Any] = {}
        #: variable -> the variables that are the arguments of its value, in order
        self.arguments: dict[Any, tuple[Var, ...]] = {}
        self.users = udchain(block)
        #: every variable of the block, in order
        self.vars: dict[Var, None] = {}
        for binding in block.bindings:
            if isinstance(binding, (VarBinding, MatchCast)):
                self.vars.update(dict.fromkeys((*all_vars(binding.value), binding.var)))
                self.arguments[binding.var] = tuple(_arguments(binding.value))
                if isinstance(binding, VarBinding):
                    self.values[binding.var] = binding.value
        self.matcher = Matcher(self.values)
        self.matches: GraphMatches = {}

    def search(self) -> GraphMatches | None:
        """Return the first match. A block without constraints has none."""
        return dict(self.matches) if self.patterns and self._extend() else None

    def _extend(self) -> bool:
        """Match the patterns that have no variable yet."""
        pattern = self._next_pattern()
        if pattern is None:
            return self._have_same_shapes()
        for var in self._candidates(pattern):
            before = dict(self.matcher.matches)
            self.matches[pattern] = var
            if self._keeps_edges(pattern) and self.matcher.match(pattern, var) and self._extend():
                return True
            del self.matches[pattern]
            self.matcher.matches = before
        return False

    def _next_pattern(self) -> DFPattern | None:
        """Return a pattern without a variable, one with a matched neighbour if possible."""
        unmatched = [pattern for pattern in self.patterns if pattern not in self.matches]
        linked = {
            pattern
            for edge in self.edges
            if edge.producer in self.matches or edge.consumer in self.matches
            for pattern in (edge.producer, edge.consumer)
        }
        return next((pattern for pattern in unmatched if pattern in linked), unmatched[0] if unmatched else None)

    def _candidates(self, pattern: DFPattern) -> list[Var]:
        """Return the variables that a pattern may match: those of its edges with matched patterns, without others'."""
        candidates = list(self.vars)
        for edge in self.edges:
            if edge.producer is pattern and edge.consumer in self.matches:
                candidates = list(self.arguments.get(self.matches[edge.consumer], ()))
                break
            if edge.consumer is pattern and edge.producer in self.matches:
                candidates = self.users.get(self.matches[edge.producer], [])
                break
        taken = set(self.matches.values())
        return [var for var in candidates if var not in taken]

    def _keeps_edges(self, pattern: DFPattern) -> bool:
        return all(
            self._holds(edge)
            for edge in self.edges
            if pattern in (edge.producer, edge.consumer)
            and edge.producer in self.matches
            and edge.consumer in self.matches
        )

    def _holds(self, edge: Edge) -> bool:
        producer, consumer = self.matches[edge.producer], self.matches[edge.consumer]
        arguments = self.arguments.get(consumer, ())
        if edge.is_only_use and self.users[producer] != [consumer]:
            return False
        if edge.index < 0:
            return producer in arguments
        return edge.index < len(arguments) and arguments[edge.index] is producer

    def _have_same_shapes(self) -> bool:
        """Whether the tensors of each group of patterns have one shape."""
        for patterns in self.same_shapes:
            exprs: list[Any] = [self.matches.get(pattern, self.matcher.matches.get(pattern)) for pattern in patterns]
            infos = [getattr(expr, "struct_info", None) for expr in exprs]
            shapes = [info.extents for info in infos if isinstance(info, TensorStructInfo) and info.extents is not None]
            if len(shapes) < len(patterns) or not all(shapes_provably_equal(shapes[0], shape) for shape in shapes[1:]):
                return False
        return True


def _arguments(value: Any) -> Iterator[Var]:
    """Yield the variables among the arguments of a value, also those in tuples."""
    parts: Any = value.args if isinstance(value, Call) else value.fields if isinstance(value, Tuple) else None
    if parts is None:
        yield from all_vars(value)
        return
    for part in parts:
        if isinstance(part, Var):
            yield part
        elif isinstance(part, Tuple):
            yield from _arguments(part)
