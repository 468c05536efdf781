"""Mark device code with an attribute that holds the device target."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from tvmscript.ir.core import Target, on
from tvmscript.ir.tir import AttrStmt, IntImm, PrimFunc, StatementRewriter, Stmt
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.function_attributes import target_of
from tvmscript.ir.transform.function_features import statement_features

#: attributes that only device code has
DEVICE_ATTRIBUTES: Final[frozenset[Hashable]] = frozenset({"thread_extent", "pipeline_exec_scope", "device_scope"})


class _Annotator(StatementRewriter):
    def __init__(self, target: Target) -> None:
        super().__init__()
        self.target = target

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key == "target":
            return node
        if node.attr_key in DEVICE_ATTRIBUTES:
            return AttrStmt(self.target, "target", IntImm("int32", 0), node, span=node.span)
        return self.descend(node)


@dataclass(frozen=True)
class AnnotateDeviceRegions(PrimFuncPass):
    """Wrap each thread launch in an attribute `target` that holds the target of the function without its host.

    Regions that already have a target, and functions whose target has no host, are not changed. Raises `NoTarget`.

    rewrite:
        bx = T.launch_thread(...)         -->    T.attr(T.target("cuda"), "target", 0)
                                                 bx = T.launch_thread(...)
    """

    name = "tir.AnnotateDeviceRegions"
    is_idempotent = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        target = target_of(func, self.name)
        if target.host is None or DEVICE_ATTRIBUTES.isdisjoint(statement_features(func)):
            return func
        return func.with_body(_Annotator(target.without_host()).rewrite(func.body))
