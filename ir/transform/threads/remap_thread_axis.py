"""Replace the thread axes of launches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tvmscript.ir.core import on
from tvmscript.ir.tir import AttrStmt, IterVar, PrimFunc, Stmt, TirRewriter
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class RemapThreadAxis(PrimFuncPass):
    """Replace the axis, and its variable, of each launch whose thread tag is in `axis_map`.

    rewrite, with RemapThreadAxis({"threadIdx.x": IterVar(None, tid, THREAD_INDEX, "blockIdx.x")}):
        tx = T.launch_thread("threadIdx.x", 8)        -->    tid = T.launch_thread("blockIdx.x", 8)
    """

    name = "tir.RemapThreadAxis"
    is_idempotent = True
    looks_for = frozenset({"thread_extent"})
    axis_map: Mapping[str, IterVar] = field(default_factory=dict[str, IterVar], hash=False)

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Remapper(self.axis_map).rewrite(func.body))


class _Remapper(TirRewriter):
    def __init__(self, axes: Mapping[str, IterVar]) -> None:
        super().__init__()
        self.axes = axes

    @on(AttrStmt)
    def launch(self, node: AttrStmt) -> Stmt:
        axis = node.node
        new_axis = (
            self.axes.get(axis.thread_tag) if isinstance(axis, IterVar) and node.attr_key == "thread_extent" else None
        )
        if new_axis is None:
            return self.descend(node)
        self.renamed[axis.var] = new_axis.var
        return AttrStmt(new_axis, node.attr_key, self.rewrite(node.value), self.rewrite(node.body), span=node.span)
