"""Every function says which target it is compiled for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.core.target import Target
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.function_attributes import is_set, symbol_of


@dataclass(frozen=True)
class BindTarget(PrimFuncPass):
    """Gives each function the target; private ones without its host, those marked `tir.is_host_func` the host alone.
    The mark goes.

    A function that has a target keeps it, and takes the host over where it has none and is seen from outside.
    `target` is a Target or the text of one.

        @T.prim_func                      ->    T.func_attr({"target": T.target("cuda", host="llvm")})
    """

    name: ClassVar[str] = "tir.BindTarget"
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
