"""Inline calls of private functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.arith.fold import make
from tvmscript.ir.core import BaseFunc, GlobalVar, IRModule, Target, nodes, on
from tvmscript.ir.tir import BinaryOp, Buffer, Call, Expr, PrimFunc, Stmt, TirRewriter, Var, rename_definitions
from tvmscript.ir.tir.stmt import BlockRealize, DeclBuffer, Evaluate, LetStmt
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.errors import WrongArgumentsOfCall
from tvmscript.ir.transform.function_attributes import symbol_of
from tvmscript.ir.transform.rewriters.free_variables import FreeVariables


@dataclass(frozen=True)
class InlinePrivateFunctions(Pass):
    """Replace call statements of private functions by the body of the callee, and remove callees without other calls.

    Functions with buffer parameters, with a block as body, that are recursive, or whose target differs from that of the
    caller are not inlined, nor are calls inside of expressions. Raises `WrongArgumentsOfCall`.

    rewrite:
        Module.init(A.data, 5)            -->    A_1 = T.decl_buffer((16,), data=A.data)
                                                 A_1[5] = T.float32(0)
    """

    name = "tir.InlinePrivateFunctions"
    is_idempotent = True

    def run(self, mod: IRModule) -> IRModule:
        inlinable = _inlinable(mod)
        if not inlinable:
            return mod
        inliner = _Inliner(inlinable)
        functions: dict[GlobalVar, BaseFunc] = {}
        for var, func in mod.functions.items():
            functions[var] = inliner.function(func) if isinstance(func, PrimFunc) else func
        dropped = inliner.used - inliner.needed
        return mod.replace(functions={var: func for var, func in functions.items() if var.name_hint not in dropped})


def _inlinable(mod: IRModule) -> dict[str, PrimFunc]:
    """Return the functions that can be inlined, by name."""
    calls = {
        var.name_hint: {
            node.op.name_hint for node in nodes(func) if isinstance(node, Call) and isinstance(node.op, GlobalVar)
        }
        for var, func in mod.functions.items()
        if isinstance(func, PrimFunc)
    }
    recursive = _recursive(calls)
    return {
        var.name_hint: func
        for var, func in mod.functions.items()
        if isinstance(func, PrimFunc)
        and symbol_of(func) is None
        and var.name_hint not in recursive
        and not func.buffer_map
        and not isinstance(func.body, BlockRealize)
    }


def _recursive(calls: dict[str, set[str]]) -> set[str]:
    """Return the names of recursive functions."""
    recursive: set[str] = set()
    for name, direct in calls.items():
        seen: set[str] = set()
        worklist = list(direct)
        while worklist:
            callee = worklist.pop()
            if callee not in seen:
                seen.add(callee)
                worklist += calls.get(callee, ())
        if name in seen:
            recursive.add(name)
    return recursive


class _Inliner(TirRewriter):
    def __init__(self, inlinable: dict[str, PrimFunc]) -> None:
        super().__init__()
        self.inlinable = inlinable
        #: functions that were inlined, and functions that still have calls
        self.used: set[str] = set()
        self.needed: set[str] = set()
        self.target: Target | None = None

    def function(self, func: PrimFunc) -> PrimFunc:
        """Return the function with calls inlined."""
        target = func.attrs.get("target")
        self.target = target if isinstance(target, Target) else None
        return func.with_body(self.rewrite(func.body))

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        call = node.value
        if isinstance(call, Call) and isinstance(call.op, GlobalVar):
            callee = self.inlinable.get(call.op.name_hint)
            if callee is not None and self.has_same_target(callee):
                return self.inline(callee, call)
        return self.descend(node)

    def has_same_target(self, callee: PrimFunc) -> bool:
        target = callee.attrs.get("target")
        return self.target is None or not isinstance(target, Target) or str(target) == str(self.target)

    def inline(self, callee: PrimFunc, call: Call) -> Stmt:
        assert isinstance(call.op, GlobalVar)
        if len(call.args) != len(callee.params):
            raise WrongArgumentsOfCall(
                function=call.op.name_hint, expected=len(callee.params), got=len(call.args), span=call.span
            )
        self.used.add(call.op.name_hint)
        values = dict(zip(callee.params, call.args, strict=True))
        return self.rewrite(_bind_arguments(rename_definitions(callee.body), values))

    @on(Call)
    def call(self, node: Call) -> Expr:
        if isinstance(node.op, GlobalVar):
            self.needed.add(node.op.name_hint)
        return self.descend(node)


def _bind_arguments(body: Stmt, values: dict[Var, Expr]) -> Stmt:
    """Return the body with parameters replaced by values, and constants folded."""
    specializer = _Specializer(values)
    # the addresses of undeclared buffers are defined around the body
    bases = {buffer.data for buffer in FreeVariables(body).buffers}
    lets = [(var, specializer.pointer(var)) for var in values if var in bases and not isinstance(values[var], Var)]
    new_body: Stmt = specializer.rewrite(body)
    for var, pointer in reversed(lets):
        new_body = LetStmt(pointer, values[var], new_body)
    return new_body


class _Specializer(TirRewriter):
    def __init__(self, values: Mapping[Var, Expr]) -> None:
        super().__init__()
        for var, value in values.items():
            self.renamed[var] = value

    def pointer(self, var: Var) -> Var:
        """Return a new variable for the address that a parameter is bound to."""
        new_var = self.renamed[var] = var.replace()
        return new_var

    @on(BinaryOp)
    def operator(self, node: BinaryOp) -> Expr:
        a, b = self.rewrite(node.a), self.rewrite(node.b)
        return node if a is node.a and b is node.b else make(type(node), a, b, node.span)

    @on(DeclBuffer)
    def declaration(self, node: DeclBuffer) -> Stmt:
        data = node.buffer.data
        value = self.renamed.get(data)
        if value is None or isinstance(value, Var):
            return self.descend(node)
        assert isinstance(value, Expr)
        pointer = self.pointer(data)
        new_let = LetStmt(pointer, value, self.descend(node))
        self.renamed[data] = value
        return new_let

    @on(Buffer)
    def used_buffer(self, node: Buffer) -> Any:
        if node not in self.renamed:
            self.renamed[node] = self.descend(node)
        return self.renamed[node]
