"""The graph of a dataflow block: a node for each binding and each leaf, edges from producers to consumers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tvmscript.ir.core import GlobalVar, IRModule
from tvmscript.ir.relax.analysis.op_pattern import OpPatternKind
from tvmscript.ir.relax.analysis.visit import post_order_visit
from tvmscript.ir.relax.expr import (
    Call,
    Constant,
    DataflowBlock,
    DataflowVar,
    DataTypeImm,
    MatchCast,
    PrimValue,
    ShapeExpr,
    StringImm,
    Tuple,
    TupleGetItem,
    Var,
)
from tvmscript.ir.relax.op.call_tir import call_tir

#: arguments that are nodes of the graph
_LEAVES = (Var, Constant, ShapeExpr, PrimValue, StringImm, DataTypeImm)


class GraphNode:
    """The value of a binding, or a leaf that no binding of the block defines."""

    __slots__ = ("index", "is_output", "outputs", "pattern")

    def __init__(self, index: int) -> None:
        #: position in the graph: producers come first
        self.index = index
        self.pattern = OpPatternKind.OPAQUE
        #: whether the value is used outside of the block
        self.is_output = False
        #: consumers, and how they read the value
        self.outputs: list[tuple[GraphNode, OpPatternKind]] = []


class DataflowGraph:
    """Nodes of a dataflow block in topological order."""

    def __init__(self, block: DataflowBlock, mod: IRModule) -> None:
        self.nodes: list[GraphNode] = []
        self.node_of: dict[Any, GraphNode] = {}
        for binding in block.bindings:
            item: Any = binding
            pattern, arguments = _inputs(item, mod)
            producers = [self._leaf(argument) for argument in arguments]
            node = self._add(item.var)
            node.pattern = pattern
            node.is_output = not isinstance(item.var, DataflowVar)
            for producer in producers:
                producer.outputs.append((node, pattern))

    def _add(self, value: Any) -> GraphNode:
        node = self.node_of[value] = GraphNode(len(self.nodes))
        self.nodes.append(node)
        return node

    def _leaf(self, value: Any) -> GraphNode:
        return self.node_of.get(value) or self._add(value)


def _inputs(binding: Any, mod: IRModule) -> tuple[OpPatternKind, list[Any]]:
    """Return the pattern of the value of a binding, and the leaves that it reads."""
    value = binding.value
    if isinstance(binding, MatchCast):
        return OpPatternKind.OPAQUE, _leaves((value,))
    if isinstance(value, TupleGetItem):
        return OpPatternKind.INJECTIVE, _leaves((value.tuple_value,))
    if not isinstance(value, Call):
        leaves: list[Any] = []
        post_order_visit(value, lambda part: leaves.append(part) if isinstance(part, (Var, Constant)) else None)
        return OpPatternKind.OPAQUE, leaves
    if value.op is not call_tir:
        return OpPatternKind.OPAQUE, _leaves(value.args)
    kernel, arguments = value.args[0], value.args[1]
    pattern = mod[kernel].attrs.get("op_pattern") if isinstance(kernel, GlobalVar) else None
    kind = OpPatternKind.OPAQUE if pattern is None else OpPatternKind(int(getattr(pattern, "value", pattern)))
    return kind, _leaves((arguments,))


def _leaves(values: Iterable[Any]) -> list[Any]:
    """Return the leaves of arguments, those of tuples included."""
    return [
        leaf
        for value in values
        for leaf in (_leaves(value.fields) if isinstance(value, Tuple) else (value,))
        if isinstance(leaf, _LEAVES)
    ]


class DominatorNode:
    """A node of the post-dominator tree."""

    __slots__ = ("depth", "node", "parent", "pattern")

    def __init__(self, node: GraphNode, parent: DominatorNode | None, pattern: OpPatternKind) -> None:
        self.node = node
        #: the immediate post-dominator; None: the value is an output, or is not used
        self.parent = parent
        #: the most restrictive pattern on the paths to the post-dominator
        self.pattern = pattern
        self.depth: int = 1 if parent is None else parent.depth + 1


def post_dominators(graph: DataflowGraph) -> list[DominatorNode]:
    """Return the post-dominator tree, as one entry for each node.

    The post-dominator of a node is the lowest common ancestor of its consumers (Cooper, Harvey, Kennedy, "A Simple,
    Fast Dominance Algorithm", 2001, on an acyclic graph).
    """
    tree: dict[int, DominatorNode] = {}
    for node in reversed(graph.nodes):
        parent: DominatorNode | None = None
        pattern = OpPatternKind.OPAQUE
        if not node.is_output:
            parent, pattern = _common_ancestor(node, tree)
        tree[node.index] = DominatorNode(node, parent, pattern)
    return [tree[node.index] for node in graph.nodes]


def _common_ancestor(node: GraphNode, tree: dict[int, DominatorNode]) -> tuple[DominatorNode | None, OpPatternKind]:
    """Return the lowest common ancestor of the consumers, and the most restrictive pattern on the paths to it."""
    worst = OpPatternKind.ELEM_WISE
    ancestor: DominatorNode | None = None
    for place, (consumer, pattern) in enumerate(node.outputs):
        other: DominatorNode | None = tree[consumer.index]
        worst = max(worst, pattern)
        ancestor = other if place == 0 else ancestor
        while ancestor is not other:
            if ancestor is None or other is None:
                return None, worst
            left, right = ancestor, other
            if left.depth >= right.depth:
                worst = max(worst, left.pattern)
                ancestor = left.parent
            if right.depth >= left.depth:
                worst = max(worst, right.pattern)
                other = right.parent
    return ancestor, worst
