"""Lower access pointers to addresses of elements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvmscript.ir.arith.fold import add, mul
from tvmscript.ir.core import on
from tvmscript.ir.tir import Allocate, Buffer, BufferLoad, Call, Expr, IntImm, PrimFunc, Ramp, Stmt, TirRewriter, Var
from tvmscript.ir.tir.intrin.memory import address_of, tvm_access_ptr
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import UnknownMemory

#: tags of scopes with ordinary addressing
_ORDINARY: Final = frozenset({"", "dyn", "barrier", "workspace", "vtcm", "var", "fragment", "matrix_a", "matrix_b",
                              "accumulator"})  # fmt: skip


@dataclass(frozen=True)
class LowerDeviceStorageAccessInfo(PrimFuncPass):
    """Replace `tvm_access_ptr` by the address of its first element.

    Raises `UnknownMemory` for memory with the tag of a special device (`local.LB`), whose addressing is unknown.

    rewrite:
        T.tvm_access_ptr(T.type_annotation("float32"), A.data, n, 8, 3)   -->   A_1 = T.Buffer((n + 1,), data=A.data)
                                                                                T.address_of(A_1[n])
    """

    name = "tir.LowerDeviceStorageAccessInfo"
    is_idempotent = True
    looks_for = frozenset({Allocate})
    looks_for_in_values = frozenset({"tir.tvm_access_ptr"})

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_AccessPointerLowering().rewrite(func.body))


class _AccessPointerLowering(TirRewriter):
    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        scope = node.buffer_var.storage_scope
        if scope.partition(".")[0] != "wmma" and scope.partition(".")[2] not in _ORDINARY:
            raise UnknownMemory(name=node.buffer_var.name, scope=scope, span=node.span)
        return self.descend(node)

    @on(Call)
    def call(self, node: Call) -> Expr:
        new_call = self.descend(node)
        if new_call.op is not tvm_access_ptr or not isinstance(new_call.args[1], Var):
            return new_call
        kind, data, offset = new_call.args[:3]
        assert isinstance(data, Var)
        lanes = kind.dtype.lanes
        first = mul(offset, IntImm(offset.dtype, lanes))
        index = first if lanes == 1 else Ramp(first, IntImm(offset.dtype, 1), lanes)
        end = add(first, IntImm(offset.dtype, lanes))
        buffer = Buffer(data, kind.dtype.element, (end,), (), IntImm(offset.dtype, 0), data.name)
        return address_of(BufferLoad(buffer, (index,)), span=node.span)
