"""Lower calls of device kernels to packed launches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce

from tvmscript.ir.arith.fold import is_const, mul
from tvmscript.ir.core import INT32, VOID, BaseFunc, GlobalVar, IRModule, Target, nodes, on
from tvmscript.ir.tir import NOOP, Allocate, AttrStmt, Evaluate, Expr, PrimFunc, Stmt, TirRewriter, substitute
from tvmscript.ir.tir.expr import Call, IntImm, IterVar, StringImm
from tvmscript.ir.tir.intrin.control import ret
from tvmscript.ir.tir.intrin.packed import call_extern, tvm_call_packed
from tvmscript.ir.tir.intrin.v0_27 import thread_return
from tvmscript.ir.tir.stmt import DeclBuffer, IfThenElse, LetStmt, SeqStmt, seq
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.errors import KernelReturns, TwoDynamicAllocations, UnknownCallee
from tvmscript.ir.transform.function_attributes import (
    IS_GLOBAL,
    LAUNCH_PARAMS,
    USES_DYNAMIC_SHARED_MEMORY,
    CallingConv,
    symbol_of,
    target_of,
)
from tvmscript.ir.transform.function_features import features


@dataclass
class _Kernel:
    """A function with its target and symbol, and how it is called."""

    func: PrimFunc
    target: Target
    symbol: str
    is_launched: bool = False
    is_called_by_symbol: bool = False

    @cached_property
    def launch(self) -> dict[str, Expr]:
        """Launch parameters: thread tag, or `USES_DYNAMIC_SHARED_MEMORY` -> value in terms of the parameters."""
        params: dict[str, Expr] = {}
        dynamic: Expr | None = None
        for node in nodes(self.func.body):
            if isinstance(node, AttrStmt) and node.attr_key == "thread_extent" and isinstance(node.node, IterVar):
                params.setdefault(node.node.thread_tag, node.value)
            elif isinstance(node, Allocate) and node.buffer_var.storage_scope == "shared.dyn":
                if dynamic is not None:
                    raise TwoDynamicAllocations(function=self.symbol, span=node.span)
                one: Expr = IntImm(INT32, 1)
                dynamic = mul(reduce(mul, node.extents, one), IntImm(INT32, node.dtype.itemsize * node.dtype.lanes))
        return params if dynamic is None else {**params, USES_DYNAMIC_SHARED_MEMORY: dynamic}


@dataclass(frozen=True)
class LowerDeviceKernelLaunch(Pass):
    """Lower calls of functions for another device type to packed calls: name, arguments, thread extents, bytes of
    dynamic shared memory.

    The callee gets the attributes `calling_conv` 2, `tir.kernel_launch_params` and `global_symbol`, and returns
    nothing: a return before its end becomes the end of a thread. A call of a function for another target of the same
    device type becomes an external call. Raises `NoTarget`, `UnknownCallee`, `KernelReturns`, `TwoDynamicAllocations`.

    rewrite:
        Module.main_kernel(A.data)        -->    T.call_packed("main_kernel", A.data, 128)
    """

    name = "tir.LowerDeviceKernelLaunch"
    is_idempotent = True

    def run(self, mod: IRModule) -> IRModule:
        kernels = {
            var.name_hint: _Kernel(func, target_of(func, self.name), symbol_of(func) or var.name_hint)
            for var, func in mod.functions.items()
            if isinstance(func, PrimFunc)
        }
        functions: dict[GlobalVar, BaseFunc] = dict(mod.functions)
        for var, func in mod.functions.items():
            # the operator of a call of a module function has no name
            if isinstance(func, PrimFunc) and None in features(func):
                functions[var] = func.with_body(_Caller(kernels[var.name_hint].target, kernels).rewrite(func.body))
        for var, func in functions.items():
            if isinstance(func, PrimFunc):
                functions[var] = _annotate(var, func, kernels[var.name_hint])
        return mod if functions == mod.functions else mod.replace(functions=functions)


class _Caller(TirRewriter):
    """Rewrite the calls in a function for `target`."""

    def __init__(self, target: Target, kernels: dict[str, _Kernel]) -> None:
        super().__init__()
        self.target = target
        self.kernels = kernels

    @on(Call)
    def call(self, node: Call) -> Expr:
        node = self.descend(node)
        if not isinstance(node.op, GlobalVar):
            return node
        callee = self.kernels.get(node.op.name_hint)
        if callee is None:
            raise UnknownCallee(function=node.op.name_hint, span=node.span)
        if str(callee.target) == str(self.target):
            return node
        if callee.target.device_type == self.target.device_type:
            callee.is_called_by_symbol = True
            return call_extern(StringImm(node.op.name_hint), *node.args, dtype=node.dtype, span=node.span)
        callee.is_launched = True
        bindings = dict(zip(callee.func.params, node.args, strict=True))
        sizes = [substitute(value, bindings) for value in callee.launch.values()]
        dtype = INT32 if node.dtype is VOID else node.dtype
        return Call(dtype, tvm_call_packed, (StringImm(callee.symbol), *node.args, *sizes), span=node.span)


def _without_last_return(stmt: Stmt) -> Stmt:
    """Return a statement without `return 0` where nothing follows."""
    if _is_return(stmt, 0):
        return NOOP
    if isinstance(stmt, SeqStmt):
        *others, last = stmt.seq
        last = _without_last_return(last)
        return seq(*others) if last is NOOP else seq(*others, last)
    if isinstance(stmt, IfThenElse):
        other = None if stmt.else_case is None else _without_last_return(stmt.else_case)
        return stmt.rebuild(then_case=_without_last_return(stmt.then_case), else_case=other)
    if isinstance(stmt, (Allocate, AttrStmt, DeclBuffer, LetStmt)):
        return stmt.rebuild(body=_without_last_return(stmt.body))
    return stmt


def _is_return(stmt: Stmt, value: int | None = None) -> bool:
    """Return whether a statement returns this value, or any."""
    if not isinstance(stmt, Evaluate) or not isinstance(stmt.value, Call) or stmt.value.op is not ret:
        return False
    return value is None or is_const(stmt.value.args[0], value)


class _ReturnRewriter(TirRewriter):
    """Rewrite `return 0` of a launched kernel to the end of a thread. Raises `KernelReturns` for another value."""

    def __init__(self, symbol: str) -> None:
        super().__init__()
        self.symbol = symbol

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        if not _is_return(node):
            return node
        if not _is_return(node, 0):
            raise KernelReturns(function=self.symbol, span=node.span)
        return node.rebuild(value=thread_return())


def _annotate(var: GlobalVar, func: PrimFunc, kernel: _Kernel) -> PrimFunc:
    if kernel.is_launched:
        body = _ReturnRewriter(kernel.symbol).rewrite(_without_last_return(func.body))
        attrs = {
            **func.attrs,
            IS_GLOBAL: True,
            "calling_conv": CallingConv.DEVICE_KERNEL_LAUNCH.value,
            LAUNCH_PARAMS: list(kernel.launch),
            "global_symbol": kernel.symbol,
        }
        return func.replace(body=body, ret_type=None, attrs=attrs)
    if kernel.is_called_by_symbol:
        return func.replace(attrs={"global_symbol": var.name_hint, **func.attrs, IS_GLOBAL: True})
    return func
