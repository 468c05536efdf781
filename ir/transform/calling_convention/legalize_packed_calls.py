"""Pass arrays instead of addresses in packed calls of C functions of the module."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.core.dtype import HANDLE, UINT64, DType
from tvmscript.ir.tir import Buffer, Evaluate, Expr, PrimFunc, Stmt, TirRewriter
from tvmscript.ir.tir.expr import Broadcast, Call, Cast, IntImm, StringImm
from tvmscript.ir.tir.intrin.bits import reinterpret_
from tvmscript.ir.tir.intrin.memory import tvm_stack_make_array, tvm_stack_make_shape
from tvmscript.ir.tir.intrin.packed import tvm_call_cpacked
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class LegalizePackedCalls(Pass):
    """Replace each argument for a buffer parameter by an array with its shape, in `call_cpacked` of a module function.

    The last argument (the resource handle) and arguments that are arrays are not changed.

    rewrite:
        T.call_cpacked("f", A, ctx)       -->   T.call_cpacked("f", T.tvm_stack_make_array(
                                                    A, T.tvm_stack_make_shape(4), ...), ctx)
    """

    name = "tir.LegalizePackedCalls"
    is_idempotent = True

    def run(self, mod: IRModule) -> IRModule:
        callees = {var.name_hint: func for var, func in mod.functions.items() if isinstance(func, PrimFunc)}
        functions = {
            var: func.with_body(_Packer(callees).rewrite(func.body)) if isinstance(func, PrimFunc) else func
            for var, func in mod.functions.items()
        }
        return mod if functions == mod.functions else mod.replace(functions=functions)


class _Packer(TirRewriter):
    def __init__(self, callees: dict[str, PrimFunc]) -> None:
        super().__init__()
        self.callees = callees

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        call = node.value
        if not isinstance(call, Call) or call.op is not tvm_call_cpacked or not isinstance(call.args[0], StringImm):
            return node
        callee = self.callees.get(call.args[0].value)
        if callee is None or not callee.buffer_map:
            return node
        args = list(call.args)
        for index, param in enumerate(callee.params, 1):
            buffer = callee.buffer_map.get(param)
            if buffer is not None and index < len(args) - 1 and not _is_array(args[index]):
                args[index] = _make_array(args[index], buffer)
        return node.replace(value=call.replace(args=tuple(args)))


def _is_array(arg: Expr) -> bool:
    return isinstance(arg, Call) and arg.op is tvm_stack_make_array


def _make_array(data: Expr, buffer: Buffer) -> Expr:
    """Return the array for a buffer at an address."""
    zero: Expr = Cast(buffer.dtype.element, IntImm("int32", 0))
    if buffer.dtype.lanes != 1:
        zero = Broadcast(zero, buffer.dtype.lanes)
    compact = reinterpret_(IntImm(UINT64, 0), dtype=HANDLE)
    rank = IntImm(DType("uint32"), len(buffer.shape))
    return tvm_stack_make_array(data, tvm_stack_make_shape(*buffer.shape), compact, rank, zero, buffer.elem_offset)
