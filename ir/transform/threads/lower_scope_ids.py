"""Launch threads for the ids of scopes of TVM 0.27."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.arith import fold
from tvmscript.ir.core import nodes, on, structural_equal
from tvmscript.ir.tir import AttrStmt, Expr, IntImm, LetStmt, PrimFunc, Stmt, TirRewriter, Var
from tvmscript.ir.tir.expr import FloorDiv, FloorMod, IterKind, IterVar, Range
from tvmscript.ir.tir.tile import ScopeIdDef
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import NoThreadAxis, ThreadsDiffer

#: the attribute around the code of the device
DEVICE_ENTRY = "tir.device_entry"
#: ids that are axes of a launch, the outermost first, and that of the clusters of blocks
_TAGS = {"cta_id": "blockIdx", "cta_id_in_cluster": "clusterCtaIdx", "thread_id": "threadIdx"}
_CLUSTER = "cluster_id"
#: ids of threads that follow from the index of the thread: quotient, and remainder of that (0: none)
_OF_THREADS = {
    "warp_id": (32, 0),
    "lane_id": (1, 32),
    "warpgroup_id": (128, 0),
    "warp_id_in_wg": (32, 4),
    "thread_id_in_wg": (1, 128),
}


@dataclass(frozen=True)
class LowerScopeIds(PrimFuncPass):
    """Launch the threads of a kernel whose ids TVM 0.27 defines by scope, and bind the ids to their axes.

    `T.cta_id` are blocks, `T.cta_id_in_cluster` those of a cluster, whose number is `T.cluster_id`; `T.thread_id` are
    threads; the ids of warps and warpgroups and of threads in them follow from the index of the thread. The number of
    threads is that of `T.thread_id`, or of all warps. The attribute of `T.device_entry` is removed. Raises
    `NoThreadAxis` for ids of pairs of blocks, and where the number of threads, or of blocks in a cluster, is unknown;
    `ThreadsDiffer` where two definitions have different extents.

    rewrite:
        T.device_entry()                             bx = T.launch_thread("blockIdx.x", 4)
        b = T.cta_id([4])                            tx = T.launch_thread("threadIdx.x", 64)
        t = T.thread_id([64])               -->      b: T.let = bx
        w = T.warp_id([2])                           t: T.let = tx
        A[b, t] = B[w]                               w: T.let = tx // 32
                                                     A[b, t] = B[w]
    """

    name = "tir.LowerScopeIds"
    is_idempotent = True
    looks_for = frozenset({ScopeIdDef})

    def transform(self, func: PrimFunc) -> PrimFunc:
        definitions = [node for node in nodes(func.body) if isinstance(node, ScopeIdDef)]
        if not definitions:
            return func
        lowering = _Lowering(definitions)
        body: Stmt = lowering.rewrite(func.body)
        return func.with_body(body if lowering.is_launched else lowering.launch(body))


class _Lowering(TirRewriter):
    def __init__(self, definitions: list[ScopeIdDef]) -> None:
        super().__init__()
        self.extents: dict[str, tuple[Expr, ...]] = {}
        for node in definitions:
            if node.scope not in _OF_THREADS and node.scope not in _TAGS and node.scope != _CLUSTER:
                raise NoThreadAxis(name=f"T.{node.scope}", reason="pairs of blocks are no threads", span=node.span)
            first_extents = self.extents.setdefault(node.scope, node.extents) if node.extents else ()
            if not structural_equal(first_extents, node.extents):
                first, second = [", ".join(map(str, items)) for items in (first_extents, node.extents)]
                raise ThreadsDiffer(tag=f"T.{node.scope}", first=first, other=second, span=node.span)
            if len(node.extents) > len("xyz"):
                raise NoThreadAxis(name=f"T.{node.scope}", reason="there are three of them", span=node.span)
        if "thread_id" not in self.extents:
            self.extents["thread_id"] = (self._threads(definitions[0]),)
        clusters, in_cluster = self.extents.get(_CLUSTER, ()), self.extents.get("cta_id_in_cluster", ())
        if len(clusters) > len(in_cluster):
            reason = "the number of blocks in a cluster is unknown"
            raise NoThreadAxis(name=f"T.{_CLUSTER}", reason=reason, span=definitions[0].span)
        if "cta_id" not in self.extents:
            self.extents["cta_id"] = tuple(map(fold.mul, clusters, in_cluster))
        self.axes = {
            tag: [
                self._axis(f"{tag}.{letter}", extent)
                for letter, extent in zip("xyz", self.extents.get(scope, ()), strict=False)
            ]
            for scope, tag in _TAGS.items()
        }
        self.is_launched = False

    def _threads(self, node: ScopeIdDef) -> Expr:
        """Return the number of threads of a block, from the numbers of warps."""
        for scope, size in (("warp_id", 32), ("warpgroup_id", 128)):
            if scope in self.extents:
                return fold.mul(self.extents[scope][0], IntImm("int32", size))
        raise NoThreadAxis(name=f"T.{node.scope}", reason="the number of threads is unknown", span=node.span)

    def _axis(self, tag: str, extent: Expr) -> IterVar:
        return IterVar(Range.from_extent(extent), Var(tag.replace(".", "_"), "int32"), IterKind.THREAD_INDEX, tag)

    def launch(self, body: Stmt) -> Stmt:
        """Return the launches around a body."""
        for axis in reversed([axis for axes in self.axes.values() for axis in axes]):
            assert axis.dom is not None
            body = AttrStmt(axis, "thread_extent", axis.dom.extent, body)
        return body

    @on(AttrStmt)
    def entry(self, node: AttrStmt) -> Stmt:
        if node.attr_key != DEVICE_ENTRY:
            return self.descend(node)
        self.is_launched = True
        return self.launch(self.rewrite(node.body))

    @on(ScopeIdDef)
    def ids(self, node: ScopeIdDef) -> Stmt:
        body: Stmt = self.rewrite(node.body)
        for var, value in reversed(list(zip(node.vars, self._indices(node), strict=True))):
            body = LetStmt(var, fold.cast(var.dtype, value), body, span=node.span)
        return body

    def _indices(self, node: ScopeIdDef) -> list[Expr]:
        if node.scope in _TAGS:
            return [axis.var for axis in self.axes[_TAGS[node.scope]]]
        if node.scope == _CLUSTER:
            sizes = self.extents["cta_id_in_cluster"]
            return [
                fold.make(FloorDiv, axis.var, size) for axis, size in zip(self.axes["blockIdx"], sizes, strict=False)
            ]
        quotient, remainder = _OF_THREADS[node.scope]
        value = self._thread()
        if quotient != 1:
            value = fold.make(FloorDiv, value, IntImm("int32", quotient))
        return [fold.make(FloorMod, value, IntImm("int32", remainder)) if remainder else value]

    def _thread(self) -> Expr:
        """Return the index of the thread in its block."""
        *outer, last = reversed(self.axes["threadIdx"])
        index: Expr | None = None
        for axis in (*outer, last):
            assert axis.dom is not None
            index = axis.var if index is None else fold.add(fold.mul(index, axis.dom.extent), axis.var)
        assert index is not None
        return index
