"""Insert profiling calls around functions and loops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from tvmscript.ir.core import HANDLE, IRModule, Op, Visitor, on
from tvmscript.ir.tir import Call, IntImm, PrimFunc, StatementRewriter, Stmt
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, Evaluate, For, ForKind, IfThenElse, LetStmt, SeqStmt, seq
from tvmscript.ir.transform.base import Form, Pass, option


@dataclass
class _LoopInfo:
    """The position of a loop in its nest."""

    number: int
    #: number of enclosing loops
    depth: int
    #: depth of the nest inside; a loop is at least as high as the siblings before it
    height: int = 0
    has_siblings: bool = False
    #: whether an enclosing loop is parallel
    is_parallel: bool = False


class _NestNumbering(Visitor):
    """Number the loops of each nest. Sequences, branches, attributes, lets and allocations may be between loops."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self.numbers = numbers
        self.loops: dict[For, _LoopInfo] = {}

    @on(For)
    def loop(self, node: For) -> None:
        info = self.loops[node] = _LoopInfo(next(self.numbers), 0)
        info.height = self.height(node.body, 1, is_parallel=False)

    def height(self, stmt: Stmt, depth: int, *, is_parallel: bool) -> int:
        """Return the depth of the loop nest of a statement that `depth` loops enclose."""
        if isinstance(stmt, For):
            info = self.loops[stmt] = _LoopInfo(next(self.numbers), depth, is_parallel=is_parallel)
            inside = is_parallel or stmt.kind is ForKind.PARALLEL
            info.height = self.height(stmt.body, depth + 1, is_parallel=inside)
            return info.height + 1
        if isinstance(stmt, SeqStmt):
            return self.siblings([part for part in stmt.seq if isinstance(part, For)], depth, is_parallel)
        if isinstance(stmt, (LetStmt, AttrStmt, Allocate)):
            return self.height(stmt.body, depth, is_parallel=is_parallel)
        if isinstance(stmt, IfThenElse):
            cases = [case for case in (stmt.then_case, stmt.else_case) if case is not None]
            return max([self.height(case, depth, is_parallel=is_parallel) for case in cases])
        return 0

    def siblings(self, loops: list[For], depth: int, is_parallel: bool) -> int:
        """Number sibling loops and return the height of the highest."""
        highest = 0
        for loop in loops:
            highest = max(highest, self.height(loop, depth, is_parallel=is_parallel))
            info = self.loops[loop]
            info.has_siblings = len(loops) > 1
            info.height = max(highest - 1, 0)
        return highest


class _CallInserter(StatementRewriter):
    def __init__(self, chosen: dict[For, int]) -> None:
        super().__init__()
        self.chosen = chosen

    @on(For)
    def loop(self, node: For) -> Stmt:
        new_loop = self.descend(node)
        number = self.chosen.get(node)
        return new_loop if number is None else add_calls(new_loop, number)


def add_calls(stmt: Stmt, number: int) -> Stmt:
    """Return the statement between the start and end calls of the profiler."""
    return seq(_profile_call("start", number), stmt, _profile_call("end", number))


def _profile_call(which: str, number: int) -> Stmt:
    return Evaluate(Call(HANDLE, Op.get(f"tir.{which}_profile_intrinsic"), (IntImm("int32", number),)))


@dataclass(frozen=True)
class InstrumentProfileIntrinsics(Pass):
    """Insert `start_profile_intrinsic` and `end_profile_intrinsic` with a number around functions and loops.

    With `instr_siblings`, loops that have sibling loops are profiled; otherwise loops with at most `lwp_max_depth`
    enclosing loops. In both cases the nest inside the loop (or inside a sibling before it) must have a depth of at
    least `lwp_min_height`, and no enclosing loop may be parallel. `lwp_disable_func_prof` skips functions. Functions
    and loops are numbered in the order of the module, including those without calls. Numbers always start from 0 in a
    module, whatever `reset_start_id` is: a pass keeps no state.

    rewrite:
        for i in range(4):        T.start_profile_intrinsic(1)
            ...              -->  for i in range(4):
                                      ...
                                  T.end_profile_intrinsic(1)
    """

    name = "tir.InstrumentProfileIntrinsics"
    takes = Form.LOOPS
    is_idempotent = False
    instr_siblings: bool = option("tir.instr_siblings", True)
    lwp_disable_func_prof: bool = option("tir.lwp_disable_func_prof", False)
    lwp_max_depth: int = option("tir.lwp_max_depth", 0)
    lwp_min_height: int = option("tir.lwp_min_height", 1)
    reset_start_id: bool = option("tir.reset_start_id", False)

    def run(self, mod: IRModule) -> IRModule:
        numbers = count()
        functions = {
            var: self.instrument(func, numbers) if isinstance(func, PrimFunc) else func
            for var, func in mod.functions.items()
        }
        if all(functions[var] is func for var, func in mod.functions.items()):
            return mod
        return mod.replace(functions=functions)

    def instrument(self, func: PrimFunc, numbers: Iterator[int]) -> PrimFunc:
        """Return the function with calls; it takes the next number."""
        own = next(numbers)
        nests = _NestNumbering(numbers)
        nests.visit(func.body)
        chosen = {loop: info.number for loop, info in nests.loops.items() if self.is_chosen(info)}
        body: Stmt = _CallInserter(chosen).rewrite(func.body) if chosen else func.body
        return func.with_body(body if self.lwp_disable_func_prof else add_calls(body, own))

    def is_chosen(self, loop: _LoopInfo) -> bool:
        """Return whether the loop is profiled."""
        if loop.is_parallel or loop.height < self.lwp_min_height:
            return False
        return loop.has_siblings if self.instr_siblings else loop.depth <= self.lwp_max_depth
