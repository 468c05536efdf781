"""Split device regions into functions that the host function calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from tvmscript.ir.core import INT32, BaseFunc, GlobalVar, IRModule, PrimType, Target, on
from tvmscript.ir.tir import NOOP, PrimFunc, StatementRewriter, Stmt, Var, rename_definitions
from tvmscript.ir.tir.expr import EQ, Call, IntImm, StringImm
from tvmscript.ir.tir.intrin.control import ret
from tvmscript.ir.tir.stmt import AssertStmt, AttrStmt, DeclBuffer, Evaluate, LetStmt, seq
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.function_attributes import IS_GLOBAL, symbol_of
from tvmscript.ir.transform.function_features import statement_features
from tvmscript.ir.transform.rewriters.free_variables import FreeVariables

#: device types (CPU, external device, Hexagon) whose functions return a status
_RETURNS_STATUS: Final = frozenset({1, 12, 16})


@dataclass(frozen=True)
class SplitHostDevice(Pass):
    """Outline each region of an attribute `target` into a private function `<name>_kernel`, and call it.

    The parameters are the free variables of the region, handles first, sorted by name. The kernel declares the buffers
    over them. A kernel for a CPU-like target returns 0, which the host asserts.

    rewrite:
        T.attr(T.target("cuda"), "target", 0)      -->    Module.main_kernel(A.data, n)
        bx = T.launch_thread("blockIdx.x", n)
        A[bx] = T.float32(0)
    """

    name = "tir.SplitHostDevice"
    is_idempotent = True

    def run(self, mod: IRModule) -> IRModule:
        taken = {var.name_hint for var in mod.functions}
        hosts: dict[GlobalVar, BaseFunc] = {}
        kernels: dict[GlobalVar, BaseFunc] = {}
        for var, func in mod.functions.items():
            if isinstance(func, PrimFunc) and "target" in statement_features(func):
                splitter = _Splitter(f"{symbol_of(func) or var.name_hint}_kernel", taken, kernels)
                func = func.with_body(splitter.rewrite(func.body))
            hosts[var] = func
        return mod.replace(functions={**hosts, **kernels}) if kernels else mod


class _Splitter(StatementRewriter):
    def __init__(self, prefix: str, taken: set[str], kernels: dict[GlobalVar, BaseFunc]) -> None:
        super().__init__()
        self.prefix = prefix
        self.taken = taken
        self.kernels = kernels

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key == "target" and isinstance(node.node, Target):
            return self.split(node, node.node.without_host())
        return self.descend(node)

    def split(self, region: AttrStmt, target: Target) -> Stmt:
        """Outline the region, and return the call that replaces it."""
        body = region.body
        free = FreeVariables(body)
        args = tuple(sorted(free.variables, key=lambda var: (not var.dtype.is_handle, var.name)))
        has_status = target.device_type in _RETURNS_STATUS
        if has_status:
            body = seq(body, Evaluate(ret(IntImm(INT32, 0))))
        for buffer in free.buffers:
            # buffers that the kernel allocates are declared there
            if buffer.data not in free.defined:
                body = DeclBuffer(buffer, body)
        attrs = {"target": target, "tir.noalias": True, IS_GLOBAL: True}
        result = PrimType(INT32) if has_status else None
        kernel = rename_definitions(PrimFunc(args, body, result, attrs=attrs, span=region.span))
        var = GlobalVar(next(name for name in _numbered(self.prefix) if name not in self.taken))
        self.taken.add(var.name_hint)
        self.kernels[var] = kernel
        if not has_status:
            return Evaluate(Call("void", var, args), span=region.span)
        status = Var("kernel_error_code", INT32)
        message = StringImm("Error executing compute kernel")
        check = AssertStmt(EQ(status, IntImm(INT32, 0)), message, NOOP)
        return LetStmt(status, Call(INT32, var, args), check, span=region.span)


def _numbered(name: str) -> Iterator[str]:
    """Yield the name, then the name with suffixes _1, _2, ..."""
    yield name
    for number in count(1):
        yield f"{name}_{number}"
