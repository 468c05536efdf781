"""Lower exported functions to plain parameters and addresses, with a status result."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.analysis.undefined_vars import undefined_vars
from tvmscript.ir.core import INT32, PrimType
from tvmscript.ir.tir import AttrStmt, Evaluate, IntImm, PrimFunc, seq
from tvmscript.ir.tir.intrin.control import ret
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import UnboundVariables
from tvmscript.ir.transform.function_attributes import CallingConv, calling_conv, symbol_of, target_of


@dataclass(frozen=True)
class MakeUnpackedAPI(PrimFuncPass):
    """Replace array parameters by the addresses of their elements, and return 0. Arguments are not checked.

    Applies to functions with a symbol, a target with a host, and no calling convention; the host becomes the target.
    Attributes state that memory is on device 0 of the target. Raises `NoTarget`, and `UnboundVariables` for sizes that
    are not parameters.

    rewrite:
        def main(A: T.Buffer((4,)), n: T.int32):      -->   def main(A: T.handle("float32"), n: T.int32) -> T.int32:
            A[0] = T.float32(n)                                 T.attr("default", "device_id", 0)
                                                                T.attr("default", "device_type", 1)
                                                                A_1 = T.Buffer((4,), data=A)
                                                                A_1[0] = T.float32(n)
                                                                return 0
    """

    name = "tir.MakeUnpackedAPI"
    is_idempotent = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        if symbol_of(func) is None or calling_conv(func) is not CallingConv.DEFAULT:
            return func
        target = target_of(func, self.name)
        if target.host is None:
            return func
        body = seq(func.body, Evaluate(ret(IntImm(INT32, 0))))
        if func.buffer_map:
            body = AttrStmt("default", "device_type", IntImm(INT32, target.device_type), body)
            body = AttrStmt("default", "device_id", IntImm(INT32, 0), body)
        params = tuple([func.buffer_map[param].data if param in func.buffer_map else param for param in func.params])
        unbound = undefined_vars(body, params)
        if unbound:  # sizes of arrays
            names = ", ".join(var.name for var in unbound)
            raise UnboundVariables(function=symbol_of(func), names=names, span=func.span)
        attrs = {**func.attrs, "target": target.host}
        return PrimFunc(params, body, PrimType(INT32), attrs=attrs, span=func.span)
