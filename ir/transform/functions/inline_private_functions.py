"""What private functions do stands where they are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.arith.fold import make
from tvmscript.ir.core.module import BaseFunc, GlobalVar, IRModule
from tvmscript.ir.core.target import Target
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BinaryOp, Call
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import BlockRealize, DeclBuffer, Evaluate, LetStmt
from tvmscript.ir.tir.substitute import rename_definitions
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.errors import WrongArgumentsOfCall
from tvmscript.ir.transform.function_attributes import symbol_of
from tvmscript.ir.transform.rewriters.free_variables import FreeNames


@dataclass(frozen=True)
class InlinePrivateFunctions(Pass):
    """Replaces calls that stand alone by the body of the function, and drops it, unless something else calls it too.

    Functions with buffer parameters, with a block as body, that call themselves (also through others), or of another
    target than the caller are left alone, and so are calls inside of expressions. Raises `WrongArgumentsOfCall`.

        Module.init(A.data, 5)            ->    A_1 = T.decl_buffer((16,), data=A.data)
                                                A_1[5] = T.float32(0)
    """

    name: ClassVar[str] = "tir.InlinePrivateFunctions"

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
    """Functions that can be inlined, by name."""
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
    """Names that can reach themselves."""
    found: set[str] = set()
    for name, direct in calls.items():
        seen: set[str] = set()
        waiting = list(direct)
        while waiting:
            callee = waiting.pop()
            if callee not in seen:
                seen.add(callee)
                waiting += calls.get(callee, ())
        if name in seen:
            found.add(name)
    return found


class _Inliner(TirRewriter):
    def __init__(self, inlinable: dict[str, PrimFunc]) -> None:
        super().__init__()
        self.inlinable = inlinable
        #: functions that were inlined, and those that some call still needs
        self.used: set[str] = set()
        self.needed: set[str] = set()
        self.target: Target | None = None

    def function(self, func: PrimFunc) -> PrimFunc:
        """The function with the calls replaced."""
        target = func.attrs.get("target")
        self.target = target if isinstance(target, Target) else None
        return func.with_body(self.rewrite(func.body))

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        call = node.value
        if isinstance(call, Call) and isinstance(call.op, GlobalVar):
            callee = self.inlinable.get(call.op.name_hint)
            if callee is not None and self.fits(callee):
                return self.inlined(callee, call)
        return self.descend(node)

    def fits(self, callee: PrimFunc) -> bool:
        target = callee.attrs.get("target")
        return self.target is None or not isinstance(target, Target) or str(target) == str(self.target)

    def inlined(self, callee: PrimFunc, call: Call) -> Stmt:
        assert isinstance(call.op, GlobalVar)
        if len(call.args) != len(callee.params):
            raise WrongArgumentsOfCall(
                function=call.op.name_hint, expected=len(callee.params), got=len(call.args), span=call.span
            )
        self.used.add(call.op.name_hint)
        values = dict(zip(callee.params, call.args, strict=True))
        made: Stmt = self.rewrite(_specialized(rename_definitions(callee.body), values))
        return made

    @on(Call)
    def call(self, node: Call) -> Expr:
        if isinstance(node.op, GlobalVar):
            self.needed.add(node.op.name_hint)
        return self.descend(node)


def _specialized(body: Stmt, values: dict[Var, Expr]) -> Stmt:
    """The body with values in the place of parameters; what becomes constant is folded."""
    specializer = _Specializer(values)
    #: addresses that buffers without a declaration are over: defined where everything sees them
    bases = {buffer.data for buffer in FreeNames(body).buffers}
    lets = [(var, specializer.pointer(var)) for var in values if var in bases and not isinstance(values[var], Var)]
    made: Stmt = specializer.rewrite(body)
    for var, pointer in reversed(lets):
        made = LetStmt(pointer, values[var], made)
    return made


class _Specializer(TirRewriter):
    def __init__(self, values: Mapping[Var, Expr]) -> None:
        super().__init__()
        for var, value in values.items():
            self.renamed[var] = value

    def pointer(self, var: Var) -> Var:
        """A variable for an address that the parameter stands for."""
        made = self.renamed[var] = var.replace()
        return made

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
        made = LetStmt(pointer, value, self.descend(node))
        self.renamed[data] = value
        return made

    @on(Buffer)
    def used_buffer(self, node: Buffer) -> Any:
        if node not in self.renamed:
            self.renamed[node] = self.descend(node)
        return self.renamed[node]
