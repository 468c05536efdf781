"""FuseOps: group kernel calls by post-dominance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, nodes
from tvmscript.ir.relax.analysis.op_pattern import OpPatternKind
from tvmscript.ir.relax.expr import DataflowBlock
from tvmscript.ir.relax.transform.fusion.common.dataflow_graph import (
    DataflowGraph,
    DominatorNode,
    GraphNode,
    post_dominators,
)
from tvmscript.ir.relax.transform.fusion.common.groups import Group
from tvmscript.ir.relax.transform.fusion.common.outline import Outliner, is_fusible
from tvmscript.ir.transform.base import Pass, option
from tvmscript.ir.transform.context import PassContext

ELEM_WISE, BROADCAST, INJECTIVE, COMM_REDUCE, OUT_ELEM_WISE_FUSABLE, OPAQUE = OpPatternKind


@dataclass(frozen=True)
class FuseOps(Pass):
    """Group calls of kernels in dataflow blocks, and outline each group as a function with the attribute `Primitive`,
    which `relax.FuseTIR` makes one kernel. `op_pattern` of the kernels says what may be grouped.

    A call joins the group of its immediate post-dominator if the patterns on all paths between them permit it: first
    what follows a matrix product or convolution, then injective calls (Roesch et al., "Relay: A High-Level Compiler for
    Deep Learning", 2019, section 4.4). A group has at most `max_depth` calls. `fuse_opt_level` 0 groups nothing, -1
    takes the level of the pass context.

    rewrite:
        lv = R.call_tir(cls.matmul, (x, w), ...)   -->  gv = cls.fused_matmul_relu(x, w)
        gv = R.call_tir(cls.relu, (lv,), ...)
    """

    name = "relax.FuseOps"
    fuse_opt_level: int = -1
    max_depth: int = option("relax.FuseOps.max_depth", 256)

    def run(self, mod: IRModule) -> IRModule:
        level = PassContext.current().opt_level if self.fuse_opt_level == -1 else self.fuse_opt_level
        if level == 0:
            return mod
        groups: dict[Any, Group] = {}
        for func in mod.functions.values():
            blocks = [part for part in nodes(func) if isinstance(part, DataflowBlock)] if is_fusible(func) else []
            for block in blocks:
                graph = DataflowGraph(block, mod)
                partition = _Partition(graph, self.max_depth)
                for value, node in graph.node_of.items():
                    groups.setdefault(value, partition.groups[node.index])  # the first block binds it, others read it
        return Outliner(mod, groups).run()


class _PatternGroup(Group):
    """A group with its combined pattern."""

    __slots__ = ("has_anchor", "pattern")

    def __init__(self, pattern: OpPatternKind) -> None:
        super().__init__()
        self.pattern = pattern
        #: whether it has a matrix product or convolution
        self.has_anchor = pattern is OUT_ELEM_WISE_FUSABLE


#: (pattern of the group of a node, whether the node is the end of the path) -> whether it may be fused
_Condition = Callable[[OpPatternKind, bool], bool]


class _Partition:
    """The partition of the nodes of a graph into groups."""

    def __init__(self, graph: DataflowGraph, max_size: int) -> None:
        self.max_size = max_size
        self.groups = [_PatternGroup(node.pattern) for node in graph.nodes]
        tree = post_dominators(graph)
        for rule in (_fuse_epilogue, _fuse_injective):
            for entry in tree:
                self._fuse(entry, rule)

    def root(self, node: GraphNode) -> Any:
        return self.groups[node.index].root()

    def _fuse(self, entry: DominatorNode, rule: Callable[[OpPatternKind, OpPatternKind], _Condition | None]) -> None:
        """Merge a node into the group of its post-dominator, with all nodes between them."""
        pattern = self.groups[entry.node.index].pattern
        if pattern is OPAQUE or entry.parent is None:
            return
        sink = entry.parent.node
        if self.root(entry.node) is self.root(sink):
            return
        condition = rule(pattern, entry.pattern)
        if condition is None:
            return
        between = _nodes_between(entry.node, sink)
        count = sum(self.groups[node.index].size for node in (entry.node, *between))
        if count + self.root(sink).size > self.max_size:
            return
        if not all(condition(self.root(node).pattern, False) for node in between):
            return
        if not condition(self.root(sink).pattern, True):
            return
        for node in (entry.node, *between):
            self._merge(self.root(node), self.root(sink))

    @staticmethod
    def _merge(group: _PatternGroup, sink: _PatternGroup) -> None:
        if group is sink:
            return
        group.merge_into(sink)
        if group.has_anchor:
            sink.has_anchor = True
            sink.pattern = max(sink.pattern, group.pattern)


def _fuse_epilogue(pattern: OpPatternKind, path: OpPatternKind) -> _Condition | None:
    """Fuse what follows a matrix product or convolution elementwise, and broadcasts into their consumers."""
    if pattern is OUT_ELEM_WISE_FUSABLE and path is ELEM_WISE:
        return lambda kind, is_sink: kind <= BROADCAST
    if pattern <= BROADCAST and (path <= INJECTIVE or path is COMM_REDUCE):
        return lambda kind, is_sink: kind <= (OUT_ELEM_WISE_FUSABLE if is_sink else INJECTIVE)
    return None


def _fuse_injective(pattern: OpPatternKind, path: OpPatternKind) -> _Condition | None:
    """Fuse injective calls with each other, after matrix products and convolutions have their epilogues."""
    if pattern is INJECTIVE:
        return lambda kind, is_sink: kind <= INJECTIVE
    return _fuse_epilogue(pattern, path) if pattern <= BROADCAST else None


def _nodes_between(source: GraphNode, sink: GraphNode) -> list[GraphNode]:
    """Return the nodes on all paths from a node to its post-dominator, without both."""
    between: dict[int, GraphNode] = {}
    stack = [node for node, _ in source.outputs]
    while stack:
        node = stack.pop()
        if node is not sink and node.index not in between:
            between[node.index] = node
            stack += [consumer for consumer, _ in node.outputs]
    return list(between.values())
