"""Delivery of bulk copies: to shared memory and a barrier of one block, or to those of several blocks of a cluster."""

from __future__ import annotations

from collections.abc import Callable

from tvmscript.backends.interp.async_copies import store_bytes
from tvmscript.backends.interp.compiler import Compiler, Frame
from tvmscript.backends.interp.cooperative_threads import current_member
from tvmscript.backends.interp.mbarriers import arrive_with_bytes
from tvmscript.backends.interp.memory import Pointer
from tvmscript.backends.interp.ptx_barriers import barrier_at, observe_use
from tvmscript.backends.interp.ptx_operands import Instruction, shared_address
from tvmscript.backends.runtime.errors import NoSuchBlock
from tvmscript.ir.tir import Call


def delivery(compiler: Compiler, node: Call, instruction: Instruction) -> Callable[[Frame, Pointer, bytes], None]:
    """Return a function that writes bytes to shared memory and lets them arrive at the barrier of a copy.

    A copy with a mask of blocks does so at the same places in each of them. Raises `NoSuchBlock`.
    """
    operands, slot = instruction.operands, compiler.member
    if "mbar" not in operands:
        return lambda frame, place, values: store_bytes(compiler, place, values)
    if not operands.get("cta_mask"):
        barrier_of = barrier_at(compiler, operands["mbar"][0], node)

        def deliver(frame: Frame, place: Pointer, values: bytes) -> None:
            store_bytes(compiler, place, values)
            arrive_with_bytes(compiler, barrier_of(frame), len(values))

        return deliver
    mask_of = compiler.code(operands["cta_mask"][0])
    address_of = shared_address(compiler, operands["mbar"][0], node)

    def multicast(frame: Frame, place: Pointer, values: bytes) -> None:
        team, address = current_member(frame[slot], node).team, address_of(frame)
        mask: int = mask_of(frame)
        for rank in range(mask.bit_length()):
            if not mask >> rank & 1:
                continue
            target, barrier = (team.place_in_block(each, rank) for each in (place, address))
            if target is None or barrier is None:
                raise NoSuchBlock(rank=rank, size=len(team.cluster), span=node.span)
            observe_use(compiler, barrier)
            store_bytes(compiler, target, values)
            arrive_with_bytes(compiler, team.barrier_at(barrier), len(values))

    return multicast
