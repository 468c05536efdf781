"""Functions and loops tell a profiler when they begin and end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar

from tvmscript.ir.core.dtype import HANDLE
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.visit import Visitor, on
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import Call, IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, Evaluate, For, ForKind, IfThenElse, LetStmt, SeqStmt, seq
from tvmscript.ir.transform.base import Form, Pass, option


@dataclass
class _Loop:
    """Where a loop stands in its nest."""

    number: int
    #: loops around it
    depth: int
    #: loops inside of each other in it; one counts as high as those before it, next to it
    height: int = 0
    has_siblings: bool = False
    #: whether a loop around it is parallel
    is_parallel: bool = False


class _Nests(Visitor):
    """Numbers the loops of each nest. Sequences, branches, facts, names and allocations may stand between them."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self.numbers = numbers
        self.found: dict[For, _Loop] = {}

    @on(For)
    def loop(self, node: For) -> None:
        made = self.found[node] = _Loop(next(self.numbers), 0)
        made.height = self.height(node.body, 1, is_parallel=False)

    def height(self, stmt: Stmt, depth: int, *, is_parallel: bool) -> int:
        """How many loops stand in each other in a statement with `depth` loops around it."""
        if isinstance(stmt, For):
            made = self.found[stmt] = _Loop(next(self.numbers), depth, is_parallel=is_parallel)
            inside = is_parallel or stmt.kind is ForKind.PARALLEL
            made.height = self.height(stmt.body, depth + 1, is_parallel=inside)
            return made.height + 1
        if isinstance(stmt, SeqStmt):
            return self.siblings([part for part in stmt.seq if isinstance(part, For)], depth, is_parallel)
        if isinstance(stmt, LetStmt | AttrStmt | Allocate):
            return self.height(stmt.body, depth, is_parallel=is_parallel)
        if isinstance(stmt, IfThenElse):
            cases = [case for case in (stmt.then_case, stmt.else_case) if case is not None]
            return max([self.height(case, depth, is_parallel=is_parallel) for case in cases])
        return 0

    def siblings(self, loops: list[For], depth: int, is_parallel: bool) -> int:
        """Loops one after the other."""
        highest = 0
        for loop in loops:
            highest = max(highest, self.height(loop, depth, is_parallel=is_parallel))
            info = self.found[loop]
            info.has_siblings = len(loops) > 1
            info.height = max(highest - 1, 0)
        return highest


class _Marking(TirRewriter):
    def __init__(self, chosen: dict[For, int]) -> None:
        super().__init__()
        self.chosen = chosen

    @on(For)
    def loop(self, node: For) -> Stmt:
        made = self.descend(node)
        number = self.chosen.get(node)
        return made if number is None else marked(made, number)


def marked(stmt: Stmt, number: int) -> Stmt:
    """The statement with the calls of the profiler around it."""
    return seq(_call("start", number), stmt, _call("end", number))


def _call(which: str, number: int) -> Stmt:
    return Evaluate(Call(HANDLE, Op.get(f"tir.{which}_profile_intrinsic"), (IntImm("int32", number),)))


@dataclass(frozen=True)
class InstrumentProfileIntrinsics(Pass):
    """Calls of `start_profile_intrinsic` and `end_profile_intrinsic` with a number stand around functions and loops.

    Of the loops, those that have other loops next to them (`instr_siblings`), otherwise those with at most
    `lwp_max_depth` loops around them; in both cases those with at least `lwp_min_height` loops inside of each other in
    them, or in one before them, and without a parallel loop around them. `lwp_disable_func_prof` leaves out functions.
    Functions and loops are numbered in their order in the module, those without calls too, from 0 in each module
    whatever `reset_start_id` says: no pass remembers the one before.

    rewrite:
        for i in range(4):        T.start_profile_intrinsic(1)
            ...              -->  for i in range(4):
                                      ...
                                  T.end_profile_intrinsic(1)
    """

    name: ClassVar[str] = "tir.InstrumentProfileIntrinsics"
    takes: ClassVar[Form] = Form.LOOPS
    is_idempotent: ClassVar[bool] = False
    instr_siblings: bool = option("tir.instr_siblings", True)
    lwp_disable_func_prof: bool = option("tir.lwp_disable_func_prof", False)
    lwp_max_depth: int = option("tir.lwp_max_depth", 0)
    lwp_min_height: int = option("tir.lwp_min_height", 1)
    reset_start_id: bool = option("tir.reset_start_id", False)

    def run(self, mod: IRModule) -> IRModule:
        numbers = count()
        functions: dict[Any, Any] = {
            var: self.instrumented(func, numbers) if isinstance(func, PrimFunc) else func
            for var, func in mod.functions.items()
        }
        if all(functions[var] is func for var, func in mod.functions.items()):
            return mod
        return mod.replace(functions=functions)

    def instrumented(self, func: PrimFunc, numbers: Iterator[int]) -> PrimFunc:
        """The function with calls, its own number being the next one."""
        own = next(numbers)
        nests = _Nests(numbers)
        nests.visit(func.body)
        chosen = {loop: info.number for loop, info in nests.found.items() if self.is_chosen(info)}
        body: Stmt = _Marking(chosen).rewrite(func.body) if chosen else func.body
        return func.with_body(body if self.lwp_disable_func_prof else marked(body, own))

    def is_chosen(self, loop: _Loop) -> bool:
        """Whether calls stand around the loop."""
        if loop.is_parallel or loop.height < self.lwp_min_height:
            return False
        return loop.has_siblings if self.instr_siblings else loop.depth <= self.lwp_max_depth
