"""Lower exported functions to the packed calling convention, with argument checks."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import BaseFunc, GlobalVar, IRModule, PrimType, Target, closest, on
from tvmscript.ir.core.dtype import HANDLE, INT32, UINT64
from tvmscript.ir.tir import Call, Expr, IntImm, PrimFunc, Stmt, StringImm, TirRewriter, Var
from tvmscript.ir.tir.intrin.bits import reinterpret_
from tvmscript.ir.tir.intrin.control import ret
from tvmscript.ir.tir.intrin.packed import tvm_call_cpacked, tvm_call_packed
from tvmscript.ir.tir.stmt import AttrStmt, Evaluate, For, ForKind, seq
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.calling_convention.make_packed_api.argument_binder import (
    ArgumentBinder,
    Opening,
    attribute,
    declare,
    nest,
)
from tvmscript.ir.transform.calling_convention.make_packed_api.signature import SIGNATURES, Signature
from tvmscript.ir.transform.errors import ReturnInParallel, UnboundVariables, UnknownConvention
from tvmscript.ir.transform.function_attributes import CallingConv, calling_conv, symbol_of, target_of
from tvmscript.ir.transform.rewriters.free_variables import FreeVariables

#: the runtime function that selects the device of launches
SET_DEVICE = "__tvm_set_device"
_CPU = 1


@dataclass(frozen=True)
class MakePackedAPI(Pass):
    """Give functions with a symbol, a target with a host, and no calling convention, that of packed functions.

    Arguments are loaded from an array and checked: their type, and rank, dtype, shape, strides, offset and device of an
    array. Variables of shapes are defined by the first array that has them. Attributes state the alignment of memory
    and the device, which is also selected unless it is a CPU. The host becomes the target, and the result is 0.
    With `convention` `tvm-ffi`, the signature is the safe call of tvm-ffi, and the symbol has the prefix `__tvm_ffi_`;
    with `tvm-0.17` it is that of TVM before tvm-ffi. Calls between such functions become packed calls of their symbols.
    Raises `NoTarget`, `UnboundVariables`, `ReturnInParallel`, `ContradictoryArgument`, `UnknownConvention`.

    rewrite:
        def main(n: T.int32):             -->   def main(self_handle: T.handle, args: T.handle, num_args: T.int32,
            ...                                          result: T.handle("void")) -> T.int32:
                                                    assert num_args == 1, "main takes 1 arguments"
                                                    ...
                                                    n: T.int32 = T.Cast("int32", T.tvm_struct_get(args, 0, 15, "int64"))
                                                    ...
                                                    return 0
    """

    name = "tir.MakePackedAPI"
    is_idempotent = True
    convention: str = "tvm-ffi"

    def run(self, mod: IRModule) -> IRModule:
        if self.convention not in SIGNATURES:
            raise UnknownConvention(name=self.convention, hint=closest(self.convention, SIGNATURES))
        signature = SIGNATURES[self.convention]
        symbols = {
            var.name_hint: symbol
            for var, func in mod.functions.items()
            if isinstance(func, PrimFunc) and (symbol := _symbol(func)) is not None
        }
        functions: dict[GlobalVar, BaseFunc] = {}
        for var, func in mod.functions.items():
            if isinstance(func, PrimFunc):
                if _is_host(func, self.name):
                    func = func.with_body(_CallRewriter(symbols, signature.prefix).rewrite(func.body))
                func = _make_packed(func, symbols.get(var.name_hint), signature, self.name)
            functions[var] = func
        return mod if functions == mod.functions else mod.replace(functions=functions)


def _symbol(func: PrimFunc) -> str | None:
    """Return the symbol of a function to change; None for any other."""
    return symbol_of(func) if calling_conv(func) is CallingConv.DEFAULT else None


def _is_host(func: PrimFunc, pass_name: str) -> bool:
    return _symbol(func) is None or target_of(func, pass_name).host is not None


class _CallRewriter(TirRewriter):
    """Rewrite calls of functions to packed calls of their symbols."""

    def __init__(self, symbols: dict[str, str], prefix: str) -> None:
        super().__init__()
        self.symbols = symbols
        self.prefix = prefix

    @on(Call)
    def call(self, node: Call) -> Expr:
        new_call = self.descend(node)
        symbol = self.symbols.get(new_call.op.name_hint) if isinstance(new_call.op, GlobalVar) else None
        if symbol is None:
            return new_call
        null = reinterpret_(IntImm(UINT64, 0), dtype=HANDLE)
        args = (StringImm(f"{self.prefix}{symbol}"), *new_call.args, null)
        return Call(new_call.dtype, tvm_call_cpacked, args, span=new_call.span)


class _ReturnRewriter(TirRewriter):
    """Rewrite returns to stores of the result and a status."""

    def __init__(self, signature: Signature) -> None:
        super().__init__()
        self.signature = signature
        self.parallel = 0

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.parallel += node.kind is ForKind.PARALLEL
        new_loop = self.descend(node)
        self.parallel -= node.kind is ForKind.PARALLEL
        return new_loop

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        value = node.value
        if not isinstance(value, Call) or value.op is not ret:
            return node
        if self.parallel:
            raise ReturnInParallel(span=node.span)
        return seq(self.signature.store_result(value.args[0]), _success())


def _success() -> Stmt:
    return Evaluate(ret(IntImm(INT32, 0)))


def _make_packed(func: PrimFunc, symbol: str | None, kind: type[Signature], pass_name: str) -> PrimFunc:
    """Return the function with the packed calling convention."""
    if symbol is None:
        return func
    target = target_of(func, pass_name)
    if target.host is None:
        return func
    signature = kind(len(func.params))
    openings = signature.begin(symbol)
    binder = ArgumentBinder(kind.type_of)
    values: list[tuple[Var, Expr]] = []
    for index, param in enumerate(func.params):
        checks, value = signature.argument(index, param, symbol)
        openings += checks
        values.append((param, value))
    # scalars first: shapes may depend on them
    for param, value in values:
        binder.bind(param, value, f"{symbol}.{param.name}")
    device_id = Var("dev_id", INT32)
    device_type = IntImm(INT32, target.device_type)
    for param, buffer in func.buffer_map.items():
        binder.array(buffer, param, f"{symbol}.{param.name}", device_type, device_id)
    body = _ReturnRewriter(signature).rewrite(func.body)
    body = AttrStmt(IntImm(INT32, 0), "compute_scope", StringImm(f"{symbol}_compute_"), body)
    device: list[Opening] = []
    if func.buffer_map:
        device = [attribute("default", "device_id", device_id), attribute("default", "device_type", device_type)]
        body = seq(_set_device(target, device_type, device_id), body) if target.device_type != _CPU else body
    declared = [declare(buffer) for buffer in func.buffer_map.values()]
    body = nest([*openings, *binder.init, *device, *binder.checks, *declared], seq(body, _success()))
    unbound = [var for var in FreeVariables(body).variables if var not in signature.params]
    if unbound:
        raise UnboundVariables(function=symbol, names=", ".join(var.name for var in unbound), span=func.span)
    attrs = {**func.attrs, "calling_conv": CallingConv.C_PACKED.value, "target": target.host}
    if kind.prefix:
        attrs["global_symbol"] = f"{kind.prefix}{symbol}"
    return PrimFunc(signature.params, body, PrimType(INT32), attrs=attrs, span=func.span)


def _set_device(target: Target, device_type: Expr, device_id: Expr) -> Stmt:
    return Evaluate(tvm_call_packed(StringImm(SET_DEVICE), device_type, device_id))
