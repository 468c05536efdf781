"""Barriers of TVM 0.27: mbarrier objects in shared memory, named barriers, barriers of a block, a warp, a warp group.

A thread that tests an mbarrier waits until the phase is complete, also by `test_wait`. Fences do nothing: memory is
written at once. Source: PTX ISA, sections "mbarrier" and "bar".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.backends.interp.barrier_state import Barrier
from tvmscript.backends.interp.calls import SPECIAL, unavailable
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.cooperative_threads import arrive_at_cluster, current_member, wait_for_cluster
from tvmscript.backends.interp.mbarriers import observe_arrival
from tvmscript.backends.interp.memory import Pointer
from tvmscript.backends.interp.ptx_operands import (
    Registers,
    guarded,
    parse_call,
    shared_address,
)
from tvmscript.backends.interp.raw_memory import byte_range, write
from tvmscript.backends.interp.teams import Waiting
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Call, Expr

#: what a barrier occupies
_BARRIER: Final = DType("uint64")
_WARP_GROUP: Final = 128
_WARP: Final = 32
#: fences of shared memory for the asynchronous proxy; without a space they are of all memory
_ASYNC_FENCES: Final = {("proxy", "async", space) for space in ("", "shared::cta", "shared::cluster")}


def barrier_at(
    compiler: Compiler, value: Expr, node: Call, *, is_initialized: bool = True
) -> Callable[[Frame], Barrier]:
    """Return code for the barrier at an address."""
    address, slot = shared_address(compiler, value, node), compiler.member

    def barrier(frame: Frame) -> Barrier:
        place = address(frame)
        if is_initialized:
            observe_use(compiler, place)
        return current_member(frame[slot], node).team.barrier_at(place)

    return barrier


def observe_use(compiler: Compiler, place: Pointer) -> None:
    """Tell the monitor that a barrier has to be initialized: its bytes are read."""
    if compiler.monitor is not None:
        compiler.monitor.read(place.memory, byte_range(place, _BARRIER.itemsize))


def _await_phase(
    compiler: Compiler, node: Call, barrier_of: Callable[[Frame], Barrier], phase: Code
) -> Callable[[Frame], None]:
    """Return code that waits until the phase of a parity is complete."""
    slot = compiler.member

    def wait(frame: Frame) -> None:
        barrier = barrier_of(frame)
        parity: int = phase(frame) % 2

        def is_over() -> bool:
            return barrier.phases % 2 != parity

        if not is_over():
            current_member(frame[slot], node).meet("mbarrier", barrier, given=Waiting(node, is_over))
        if compiler.monitor is not None:
            compiler.monitor.acquire(barrier)

    return wait


def _mbarrier(compiler: Compiler, node: Call) -> Code:
    """Initialize a barrier, arrive at it, expect bytes, or wait for a phase."""
    instruction = parse_call(node, "mbarrier")
    if instruction is None or "noComplete" in instruction.words or "multicast::cluster::32b" in instruction.words:
        return unavailable(node)
    operands, words = instruction.operands, instruction.words
    is_init = words[0] == "init"
    address, barrier_of = (
        shared_address(compiler, operands["addr"][0], node),
        barrier_at(compiler, operands["addr"][0], node, is_initialized=not is_init),
    )
    count = compiler.code(operands["count"][0]) if "count" in operands else lambda frame: 1
    size = compiler.code(operands["tx_count"][0]) if "tx_count" in operands else lambda frame: 0
    if words[0] in ("test_wait", "try_wait") and "phase" in operands:
        wait = _await_phase(compiler, node, barrier_of, compiler.code(operands["phase"][0]))
        result = Registers(compiler, operands["wait_complete"])

        def test(frame: Frame) -> int:
            wait(frame)
            result.write(frame, [1])
            return 0

        return guarded(compiler, instruction, test)
    if words[0] not in ("init", "arrive", "expect_tx", "complete_tx", "inval") or "state" in operands:
        return unavailable(node)
    kind = words[0]

    def run(frame: Frame) -> int:
        barrier = barrier_of(frame)
        if is_init:
            write(compiler, address(frame), [count(frame)], _BARRIER)
            barrier.expected, barrier.arrived, barrier.phases, barrier.pending_bytes = count(frame), 0, 0, 0
            return 0
        barrier.pending_bytes += -size(frame) if kind == "complete_tx" else size(frame)
        if kind == "arrive":
            barrier.arrived += count(frame)
            observe_arrival(compiler, barrier)
        elif kind == "complete_tx":
            observe_arrival(compiler, barrier)
        return 0

    return guarded(compiler, instruction, run)


def _mbarrier_wait(compiler: Compiler, node: Call) -> Code:
    barrier_of = barrier_at(compiler, node.args[0], node)
    wait = _await_phase(compiler, node, barrier_of, compiler.code(node.args[1]))

    def run(frame: Frame) -> int:
        wait(frame)
        return 0

    return run


def _named_barrier(compiler: Compiler, node: Call) -> Code:
    """Wait at a barrier of the block until so many threads do; all of them where no number is given.

    Those of a cluster are for all threads of its blocks, which arrive and wait.
    """
    family = "bar" if getattr(node.op, "name", "") == "tir.ptx.bar" else "barrier"
    instruction = parse_call(node, family)
    if instruction is not None and instruction.words[0] == "cluster":
        releases = "relaxed" not in instruction.words
        is_arrival = "arrive" in instruction.words
        code = arrive_at_cluster(compiler, node, releases=releases) if is_arrival else wait_for_cluster(compiler, node)
        return guarded(compiler, instruction, code)
    if instruction is None or "sync" not in instruction.words:
        return unavailable(node)
    operands, slot = instruction.operands, compiler.member
    if not operands:
        return unavailable(node)
    number = compiler.code(operands["a"][0])
    count = compiler.code(operands["b"][0]) if "b" in operands else None

    def wait(frame: Frame) -> int:
        member = current_member(frame[slot], node)
        threads = len(member.team.members) if count is None else count(frame)
        member.meet("named", number(frame), given=threads)
        return 0

    return guarded(compiler, instruction, wait)


def _warp_group_sync(compiler: Compiler, node: Call) -> Code:
    number, slot = compiler.code(node.args[0]), compiler.member

    def wait(frame: Frame) -> int:
        current_member(frame[slot], node).meet("named", number(frame), given=_WARP_GROUP)
        return 0

    return wait


def _block_sync(compiler: Compiler, node: Call) -> Code:
    slot = compiler.member

    def wait(frame: Frame) -> int:
        current_member(frame[slot], node).meet("block", node)
        return 0

    return wait


def _warp_sync(compiler: Compiler, node: Call) -> Code:
    slot = compiler.member

    def wait(frame: Frame) -> int:
        member = current_member(frame[slot], node)
        member.meet("warp", (node, member.number // _WARP))
        return 0

    return wait


def _shared_number(compiler: Compiler, node: Call) -> Code:
    """Return the number of an address in shared memory."""
    code, slot = compiler.code(node.args[0]), compiler.member
    return lambda frame: current_member(frame[slot], node).team.number_of(code(frame))


def _nothing(compiler: Compiler, node: Call) -> Code:
    """Do nothing: what it orders is in order, what it keeps is kept."""
    return lambda frame: 0


def _fence(compiler: Compiler, node: Call) -> Code:
    """Tell the monitor of a fence between stores and what the asynchronous proxy reads of shared memory."""
    monitor, instruction = compiler.monitor, parse_call(node, "fence")
    if monitor is None or instruction is None or instruction.words not in _ASYNC_FENCES:
        return _nothing(compiler, node)

    def fence(frame: Frame) -> int:
        monitor.fence_proxy()
        return 0

    return guarded(compiler, instruction, fence)


def _first_lane(compiler: Compiler, node: Call) -> Code:
    """Return whether the thread is the first one of its warp."""
    slot = compiler.member
    return lambda frame: int(current_member(frame[slot], node).number % _WARP == 0)


SPECIAL["tir.ptx.mbarrier"] = _mbarrier
SPECIAL["tir.cuda.mbarrier_wait"] = _mbarrier_wait
SPECIAL["tir.cuda.mbarrier_wait_acquire_cluster"] = _mbarrier_wait
SPECIAL["tir.ptx.bar"] = _named_barrier
SPECIAL["tir.ptx.barrier"] = _named_barrier
SPECIAL["tir.cuda.warpgroup_sync"] = _warp_group_sync
SPECIAL["tir.cuda.cta_sync"] = _block_sync
SPECIAL["tir.cuda.warp_sync"] = _warp_sync
SPECIAL["tir.cuda.cvta_generic_to_shared"] = _shared_number
SPECIAL["tir.ptx.fence"] = _fence
SPECIAL["tir.cuda.elect_sync"] = _first_lane
#: what orders or keeps what is in order and kept here
_WITHOUT_EFFECT: Final = ("ptx.setmaxnreg", "cuda.wgmma_noop_barrier", "cuda.thread_fence")
SPECIAL.update({f"tir.{name}": _nothing for name in _WITHOUT_EFFECT})
