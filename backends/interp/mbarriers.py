"""Barriers in shared memory (mbarrier): threads and asynchronous copies arrive, other threads wait for a phase.

A phase is complete when as many arrivals as `ptx_init_barrier_thread_count` says have come, and all bytes that
`ptx_arrive_barrier_expect_tx` expects. As in TVM, `ptx_wait_barrier` waits for the first phase. Source: PTX ISA,
section "mbarrier".
"""

from __future__ import annotations

from tvmscript.backends.interp.async_copies import copy_bytes
from tvmscript.backends.interp.barrier_state import Barrier
from tvmscript.backends.interp.calls import SPECIAL
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.cooperative_threads import current_member
from tvmscript.backends.interp.raw_memory import offset_pointer
from tvmscript.backends.interp.teams import Waiting
from tvmscript.ir.tir import Call, Expr


def _barrier(compiler: Compiler, number: Expr, node: Call) -> Code:
    """Return code for the barrier of a number in the block. It raises `Unsupported` outside of threads."""
    index, slot = compiler.code(number), compiler.member

    def barrier(frame: Frame) -> Barrier:
        return current_member(frame[slot], node).team.barrier_at(index(frame))

    return barrier


def _create(compiler: Compiler, node: Call) -> Code:
    """Do nothing: a barrier is made where it is used first."""
    return lambda frame: 0


def _init(compiler: Compiler, node: Call) -> Code:
    barrier_of, count = _barrier(compiler, node.args[0], node), compiler.code(node.args[1])

    def init(frame: Frame) -> int:
        barrier: Barrier = barrier_of(frame)
        barrier.expected = count(frame)
        return 0

    return init


def _arrive(compiler: Compiler, node: Call) -> Code:
    """Arrive, and expect bytes if the call says how many."""
    barrier_of = _barrier(compiler, node.args[0], node)
    size = compiler.code(node.args[1]) if len(node.args) > 1 else lambda frame: 0

    def arrive(frame: Frame) -> int:
        barrier: Barrier = barrier_of(frame)
        barrier.pending_bytes += size(frame)
        barrier.arrived += 1
        observe_arrival(compiler, barrier)
        return 0

    return arrive


def _arrive_copies(compiler: Compiler, node: Call) -> Code:
    """Let the copies that the thread has started arrive: they complete with the phase."""
    barrier_of = _barrier(compiler, node.args[0], node)

    def arrive(frame: Frame) -> int:
        barrier: Barrier = barrier_of(frame)
        barrier.arrived += 1
        if compiler.monitor is not None:
            compiler.monitor.attach_copies(barrier)
        observe_arrival(compiler, barrier)
        return 0

    return arrive


def _bulk_copy(compiler: Compiler, node: Call) -> Code:
    """Copy bytes, which arrive at a barrier."""
    target_data, target_offset, source_data, source_offset, size, number = node.args
    target = offset_pointer(compiler, target_data, target_offset, node.dtype)
    source = offset_pointer(compiler, source_data, source_offset, node.dtype)
    count, barrier_of = compiler.code(size), _barrier(compiler, number, node)

    def copy(frame: Frame) -> int:
        barrier: Barrier = barrier_of(frame)
        copy_bytes(compiler, source(frame), target(frame), count(frame), node.span)
        arrive_with_bytes(compiler, barrier, count(frame))
        return 0

    return copy


def arrive_with_bytes(compiler: Compiler, barrier: Barrier, size: int) -> None:
    """Let the bytes of copies of the thread arrive at a barrier."""
    barrier.pending_bytes -= size
    if compiler.monitor is not None:
        compiler.monitor.attach_copies(barrier)
    observe_arrival(compiler, barrier)


def observe_arrival(compiler: Compiler, barrier: Barrier) -> None:
    """Tell the monitor of an arrival, and end the phase if it was the last one."""
    monitor = compiler.monitor
    if monitor is not None:
        monitor.arrive(barrier)
    if barrier.finish_phase() and monitor is not None:
        monitor.complete_copies(barrier)


def _wait(compiler: Compiler, node: Call) -> Code:
    barrier_of, slot = _barrier(compiler, node.args[0], node), compiler.member

    def wait(frame: Frame) -> int:
        barrier: Barrier = barrier_of(frame)
        if barrier.phases == 0:
            frame[slot].meet("mbarrier", barrier, given=Waiting(node, lambda: barrier.phases > 0))
        if compiler.monitor is not None:
            compiler.monitor.acquire(barrier)
        return 0

    return wait


SPECIAL["tir.create_barriers"] = _create
SPECIAL["tir.ptx_init_barrier_thread_count"] = _init
SPECIAL["tir.ptx_arrive_barrier"] = _arrive
SPECIAL["tir.ptx_arrive_barrier_expect_tx"] = _arrive
SPECIAL["tir.ptx_cp_async_barrier"] = _arrive_copies
SPECIAL["tir.ptx_cp_async_bulk"] = _bulk_copy
SPECIAL["tir.ptx_wait_barrier"] = _wait
