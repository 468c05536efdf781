"""Functions that are seen from outside take their arguments by the packed convention, and check them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.core.dtype import HANDLE, INT32, UINT64
from tvmscript.ir.core.module import BaseFunc, GlobalVar, IRModule
from tvmscript.ir.core.suggestions import closest
from tvmscript.ir.core.target import Target
from tvmscript.ir.core.types import PrimType
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import Call, IntImm, StringImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.bits import reinterpret_
from tvmscript.ir.tir.intrin.control import ret
from tvmscript.ir.tir.intrin.packed import tvm_call_cpacked, tvm_call_packed
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import AttrStmt, Evaluate, For, ForKind, seq
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.calling_convention.make_packed_api.argument_binder import (
    ArgumentBinder,
    Opening,
    declare,
    attribute,
    nest,
)
from tvmscript.ir.transform.calling_convention.make_packed_api.signature import SIGNATURES, Signature
from tvmscript.ir.transform.errors import ReturnInParallel, UnboundVariables, UnknownConvention
from tvmscript.ir.transform.function_attributes import CallingConv, calling_conv, symbol_of, target_of
from tvmscript.ir.transform.rewriters.free_variables import FreeVariables

#: The runtime's function that makes a device the one that is launched on.
SET_DEVICE = "__tvm_set_device"
_CPU = 1


@dataclass(frozen=True)
class MakePackedAPI(Pass):
    """Gives functions with a symbol, a target with a host, and no calling convention yet, that of packed functions.

    The arguments are taken from an array of them; each is checked: kind, and of an array rank, dtype, shape, strides,
    offset and device. Variables of shapes are defined by the first array that has them. Memory says how it is aligned,
    the device is stated (and set, where it is no CPU), the target is the host's, and 0 is returned.
    With `convention` `tvm-ffi`, the signature is tvm-ffi's safe call, and the symbol begins with `__tvm_ffi_`; with
    `tvm-0.17` it is that of TVM before tvm-ffi. Calls between such functions become packed calls of their symbols.
    Raises `NoTarget`, `UnboundVariables`, `ReturnInParallel`, `ContradictoryArgument`, `UnknownConvention`.

        def main(n: T.int32):             ->    def main(self_handle: T.handle, args: T.handle, num_args: T.int32,
            ...                                          result: T.handle("void")) -> T.int32:
                                                    assert num_args == 1, "main takes 1 arguments"
                                                    ...
                                                    n: T.int32 = T.Cast("int32", T.tvm_struct_get(args, 0, 15, "int64"))
                                                    ...
                                                    return 0
    """

    name: ClassVar[str] = "tir.MakePackedAPI"
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
                    func = func.with_body(_Callers(symbols, signature.prefix).rewrite(func.body))
                func = _packed(func, symbols.get(var.name_hint), signature, self.name)
            functions[var] = func
        return mod if functions == mod.functions else mod.replace(functions=functions)


def _symbol(func: PrimFunc) -> str | None:
    """The symbol of a function that is to be changed."""
    return symbol_of(func) if calling_conv(func) is CallingConv.DEFAULT else None


def _is_host(func: PrimFunc, pass_name: str) -> bool:
    return _symbol(func) is None or target_of(func, pass_name).host is not None


class _Callers(TirRewriter):
    """Calls of functions by their symbols."""

    def __init__(self, symbols: dict[str, str], prefix: str) -> None:
        super().__init__()
        self.symbols = symbols
        self.prefix = prefix

    @on(Call)
    def call(self, node: Call) -> Expr:
        made = self.descend(node)
        symbol = self.symbols.get(made.op.name_hint) if isinstance(made.op, GlobalVar) else None
        if symbol is None:
            return made
        nowhere = reinterpret_(IntImm(UINT64, 0), dtype=HANDLE)
        args = (StringImm(f"{self.prefix}{symbol}"), *made.args, nowhere)
        return Call(made.dtype, tvm_call_cpacked, args, span=made.span)


class _Returns(TirRewriter):
    """Returned values go where the signature says."""

    def __init__(self, signature: Signature) -> None:
        super().__init__()
        self.signature = signature
        self.parallel = 0

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.parallel += node.kind is ForKind.PARALLEL
        made = self.descend(node)
        self.parallel -= node.kind is ForKind.PARALLEL
        return made

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        value = node.value
        if not isinstance(value, Call) or value.op is not ret:
            return node
        if self.parallel:
            raise ReturnInParallel(span=node.span)
        return seq(self.signature.returned(value.args[0]), _success())


def _success() -> Stmt:
    return Evaluate(ret(IntImm(INT32, 0)))


def _packed(func: PrimFunc, symbol: str | None, kind: type[Signature], pass_name: str) -> PrimFunc:
    """The function by the packed convention."""
    if symbol is None:
        return func
    target = target_of(func, pass_name)
    if target.host is None:
        return func
    signature = kind(len(func.params))
    openings = signature.begin(symbol)
    binder = ArgumentBinder(kind.type_of)
    values: list[tuple[Var, Expr]] = []
    for place, param in enumerate(func.params):
        made, value = signature.argument(place, param, symbol)
        openings += made
        values.append((param, value))
    # numbers first: shapes may depend on them
    for param, value in values:
        binder.bind(param, value, f"{symbol}.{param.name}")
    device_id = Var("dev_id", INT32)
    device_type = IntImm(INT32, target.device_type)
    for param, buffer in func.buffer_map.items():
        binder.array(buffer, param, f"{symbol}.{param.name}", device_type, device_id)
    body = _Returns(signature).rewrite(func.body)
    body = AttrStmt(IntImm(INT32, 0), "compute_scope", StringImm(f"{symbol}_compute_"), body)
    device: list[Opening] = []
    if func.buffer_map:
        device = [attribute("default", "device_id", device_id), attribute("default", "device_type", device_type)]
        body = seq(_set_device(target, device_type, device_id), body) if target.device_type != _CPU else body
    declared = [declare(buffer) for buffer in func.buffer_map.values()]
    body = nest([*openings, *binder.init, *device, *binder.checks, *declared], seq(body, _success()))
    left = [var for var in FreeVariables(body).variables if var not in signature.params]
    if left:
        raise UnboundVariables(function=symbol, names=", ".join(var.name for var in left), span=func.span)
    attrs = {**func.attrs, "calling_conv": CallingConv.C_PACKED.value, "target": target.host}
    if kind.prefix:
        attrs["global_symbol"] = f"{kind.prefix}{symbol}"
    return PrimFunc(signature.params, body, PrimType(INT32), attrs=attrs, span=func.span)


def _set_device(target: Target, device_type: Expr, device_id: Expr) -> Stmt:
    return Evaluate(tvm_call_packed(StringImm(SET_DEVICE), device_type, device_id))
