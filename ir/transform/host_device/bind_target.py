"""Set the target of each function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import Target
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.function_attributes import is_set, symbol_of


@dataclass(frozen=True)
class BindTarget(PrimFuncPass):
    """Set the attribute `target` of each function.

    Private functions get the target without its host. Functions with `tir.is_host_func` get only the host, and lose
    that attribute. A function that has a target keeps it; if it is exported and its target has no host, the host is
    added. `target` is a Target or the text of one.

    rewrite:
        @T.prim_func                      -->    T.func_attr({"target": T.target("cuda", host="llvm")})
    """

    name = "tir.BindTarget"
    is_idempotent = True
    target: Any = "llvm"

    def transform(self, func: PrimFunc) -> PrimFunc:
        target = Target.make(self.target)
        own = func.attrs.get("target")
        if isinstance(own, Target):
            if target.host is None or own.host is not None or symbol_of(func) is None:
                return func
            return func.with_attr("target", own.replace(host=target.host))
        if is_set(func, "tir.is_host_func"):
            host = target.host or Target("llvm")
            return func.without_attr("tir.is_host_func").with_attr("target", host.replace(host=host))
        return func.with_attr("target", target if symbol_of(func) is not None else target.without_host())
