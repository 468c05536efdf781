"""Loops in blocks without axes, as in scans, sorts and scatters: parallel loops become launches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.errors import NotInvertible
from tvmscript.ir.core import GlobalVar, IRModule, Target, nodes
from tvmscript.ir.schedule.default.gpu.gpu_rule import bind_elements, most_threads
from tvmscript.ir.schedule.default.gpu.independent_loops import fuse_independent_loops
from tvmscript.ir.schedule.default.gpu.thread_memory import OwnBuffers, ThreadMemory
from tvmscript.ir.schedule.default.schedule_rule import ScheduleRule, log
from tvmscript.ir.schedule.default.unscheduled import is_plain_nest
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import (
    LT,
    BlockRealize,
    BufferStore,
    Call,
    Evaluate,
    Expr,
    FloorDiv,
    For,
    ForKind,
    IntImm,
    IterKind,
    IterVar,
    PrimFunc,
    SeqStmt,
    Stmt,
    Var,
    seq,
)
from tvmscript.ir.tir.intrin.packed import tvm_call_cpacked, tvm_call_packed
from tvmscript.ir.tir.intrin.sync import tvm_storage_sync
from tvmscript.ir.tir.stmt import LAUNCHES, Allocate, AttrStmt, DeclBuffer, IfThenElse
from tvmscript.ir.tir.substitute import substitute

#: threads of a block for iterations that have loops, which are few and long, and for others
_FEW, _THREADS = 32, 256
_HOST_CALLS: Final = (tvm_call_packed, tvm_call_cpacked)


class ParallelLoops(ScheduleRule):
    """Launch the parallel loops of blocks without axes, one after the other; other blocks have an element a thread.

    Loops around blocks that no other rule takes, such as those of blocks in blocks, are bound as far as they can be. A
    loop whose iterations store to different elements counts as parallel. A parallel loop in a serial loop is run by one
    thread block, which waits after each step; several ones, as in recurrences, are launched in each step. Anything else
    is run by one thread.

    `sch.trace` has the steps of the blocks with axes alone, and replays from the function in which the launches are. No
    primitive addresses a loop below a block or outside of blocks: `get_loops` returns those above a block, and others
    split and fuse these. None adds a barrier after a loop, nor gives an allocation in a block to a thread.

    rewrite:
        for i in T.parallel(n): ...  -->  for b in blockIdx.x: for t in threadIdx.x: if b * 32 + t < n: ...
    """

    def apply(self, func: PrimFunc, target: Target, tunable: bool) -> Schedule | None:
        """Return the scheduled function, None if it has no such blocks, or others that are no plain nests."""
        _, unbound, nests = _parts_of(func)
        has_work = any(isinstance(node, (For, BufferStore)) for part in unbound for node in nodes(part))
        return launch_nests(func, target) if has_work or not all(map(is_plain_nest, nests)) else None


def launch_nests(func: PrimFunc, target: Target) -> Schedule | None:
    """Return a function whose statements are launches, None where it is not for a GPU or has parts that are none."""
    parts, unbound, nests = _parts_of(func)
    root = func.body
    is_of_axes = isinstance(root, BlockRealize) and root.block.iter_vars
    if "gpu" not in target.keys or is_of_axes or not all(map(_is_serial_nest, nests)):
        return None
    threads = most_threads(target)
    func = func.with_body(_with_parts(root, parts))
    refused = [nest for nest in nests if not _bind_nest(Schedule(IRModule({"main": func})), nest, threads)]
    launches = [_launch_part(part) if part in unbound else _launch(part) if part in refused else part for part in parts]
    sch = Schedule(IRModule({"main": func.with_body(_with_parts(root, launches))}))
    return sch if all(_bind_nest(sch, nest, threads) for nest in nests if nest not in refused) else None


def _parts_of(func: PrimFunc) -> tuple[tuple[Stmt, ...], list[Stmt], list[Stmt]]:
    """Return the statements of a function, those without blocks, threads and calls of the host, and the others."""
    root = func.body
    stmts = _statements(root.block.body if isinstance(root, BlockRealize) else root)
    parts = tuple([OwnBuffers().rewrite(stmt) for stmt in stmts])
    unbound = [part for part in parts if _is_unbound(part)]
    return parts, unbound, [part for part in parts if part not in unbound]


def _with_parts(root: Stmt, parts: Sequence[Stmt]) -> Stmt:
    """Return a body with other statements."""
    body = seq(*parts)
    return root.replace(block=root.block.replace(body=body)) if isinstance(root, BlockRealize) else body


def _bind_nest(sch: Schedule, nest: Stmt, threads: int) -> bool:
    """Give each thread an element of the outermost block of a nest; return whether that is possible."""
    name = next(node.block.name_hint for node in nodes(nest) if isinstance(node, BlockRealize))
    try:
        return bind_elements(sch, sch.get_block(name), threads)
    except (ScheduleError, NotInvertible) as error:
        log.debug("one thread runs %s: %s", name, error.text)
        return False


def _is_serial_nest(part: Stmt) -> bool:
    """Return whether serial loops without annotations are around blocks, which no schedule has bound."""
    if not any(isinstance(node, BlockRealize) for node in nodes(part)):
        return False
    loops = [node for node in nodes(part) if isinstance(node, For)]
    return all(loop.kind is ForKind.SERIAL and not loop.annotations for loop in loops)


def _statements(stmt: Stmt) -> tuple[Stmt, ...]:
    return stmt.seq if isinstance(stmt, SeqStmt) else (stmt,)


def _is_unbound(part: Stmt) -> bool:
    """Return whether a statement, or a block without axes, has no blocks, threads, or calls of the host in it."""
    body = part
    if isinstance(part, BlockRealize):
        block, body = part.block, part.block.body
        if block.iter_vars or block.init is not None or block.alloc_buffers or block.annotations:
            return False
    return not any(
        isinstance(node, BlockRealize)
        or (isinstance(node, For) and node.kind is ForKind.THREAD_BINDING)
        or (isinstance(node, AttrStmt) and node.attr_key in LAUNCHES)
        or (isinstance(node, Call) and (node.op in _HOST_CALLS or isinstance(node.op, GlobalVar)))
        for node in nodes(body)
    )


def _launch_part(part: Stmt) -> Stmt:
    """Return a statement, or each one of a block, as a launch of thread blocks."""
    if not isinstance(part, BlockRealize):
        return _launch_statements(part)
    return part.replace(block=part.block.replace(body=_launch_statements(part.block.body)))


def _launch_statements(stmt: Stmt) -> Stmt:
    """Return the launches of statements, which share the global memory that is allocated around them."""
    if isinstance(stmt, Allocate) and stmt.buffer_var.storage_scope in ("", "global") and _has_parallel_loop(stmt):
        return stmt.replace(body=_launch_statements(stmt.body))
    if isinstance(stmt, DeclBuffer) and _has_parallel_loop(stmt):
        return stmt.replace(body=_launch_statements(stmt.body))
    return seq(*[_launch(each) for each in _statements(stmt)])


def _has_parallel_loop(stmt: Stmt) -> bool:
    """Return whether loops that are launched by themselves are in a statement."""
    while isinstance(stmt, (Allocate, DeclBuffer)):
        stmt = stmt.body
    return any(_parallel_loop(each) is not None for each in _statements(stmt))


def _launch(stmt: Stmt) -> Stmt:
    """Return a statement as a launch of thread blocks."""
    loop = _parallel_loop(stmt)
    if loop is not None:
        stmt = loop
        threads = _FEW if any(isinstance(node, For) for node in nodes(stmt.body)) else _THREADS
        index, thread = Var("block", stmt.loop_var.dtype), Var("thread", stmt.loop_var.dtype)
        memory = ThreadMemory(fold.add(fold.mul(index, IntImm(index.dtype, threads)), thread), stmt.extent)
        inner = _iteration(stmt, memory)
        count = _quotient(stmt.extent, threads)
        return memory.allocate(_bind(index, count, "blockIdx.x", _bind(thread, threads, "threadIdx.x", inner)))
    inner_loop = _parallel_loop(stmt.body) if isinstance(stmt, For) else None
    if isinstance(stmt, For) and inner_loop is not None:
        step, thread = Var("step", inner_loop.loop_var.dtype), Var("thread", inner_loop.loop_var.dtype)
        number = fold.add(fold.mul(step, IntImm(step.dtype, _THREADS)), thread)
        memory = ThreadMemory(number, inner_loop.extent, stmt.loop_var)
        inner = _iteration(inner_loop, memory)
        steps = _quotient(inner_loop.extent, _THREADS)
        inner = For(step, IntImm(step.dtype, 0), steps, ForKind.SERIAL, inner)
        body = stmt.replace(body=seq(inner, Evaluate(tvm_storage_sync("shared"))))
        launch = _bind(Var("block", "int32"), 1, "blockIdx.x", _bind(thread, _THREADS, "threadIdx.x", body))
        return memory.allocate(launch)
    if isinstance(stmt, For) and all(_parallel_loop(each) is not None for each in _statements(stmt.body)):
        return stmt.replace(body=_launch_statements(stmt.body))
    memory = ThreadMemory(IntImm("int32", 0), IntImm("int32", 1))
    return memory.allocate(_run_on_thread(memory.rewrite(stmt)))


def _parallel_loop(stmt: Stmt) -> For | None:
    """Return the loop of a statement whose iterations threads run, None where it has none."""
    if isinstance(stmt, For) and stmt.kind is ForKind.PARALLEL:
        return stmt
    return fuse_independent_loops(stmt)


def _run_on_thread(stmt: Stmt) -> Stmt:
    """Return the launch of one thread that runs a statement."""
    return _bind(Var("block", "int32"), 1, "blockIdx.x", _bind(Var("thread", "int32"), 1, "threadIdx.x", stmt))


def _iteration(loop: For, memory: ThreadMemory) -> Stmt:
    """Return an iteration of a loop by its number, where the loop has it."""
    body = memory.rewrite(substitute(loop.body, {loop.loop_var: fold.add(loop.min, memory.number)}))
    return IfThenElse(fold.make(LT, memory.number, loop.extent), body)


def _quotient(extent: Expr, size: int) -> Expr:
    """Return how many parts of a size cover an extent."""
    count = fold.add(extent, IntImm(extent.dtype, size - 1))
    return fold.make(FloorDiv, count, IntImm(extent.dtype, size))


def _bind(var: Var, extent: Expr | int, tag: str, body: Stmt) -> Stmt:
    size = IntImm(var.dtype, extent) if isinstance(extent, int) else extent
    axis = IterVar(None, Var(tag, var.dtype), IterKind.THREAD_INDEX, tag)
    return For(var, IntImm(var.dtype, 0), size, ForKind.THREAD_BINDING, body, axis)
