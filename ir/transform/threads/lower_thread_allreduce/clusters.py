"""Reductions over the blocks of a cluster: each block stores its result to the shared memory of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tvmscript.ir.arith.fold import cast
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Expr, Stmt, Var, make_buffer
from tvmscript.ir.tir.expr import BufferLoad, Call
from tvmscript.ir.tir.intrin.device import INSTRUCTIONS
from tvmscript.ir.tir.intrin.memory import address_of
from tvmscript.ir.tir.intrin.ptx_calls import PtxOperands, ptx_call
from tvmscript.ir.tir.stmt import Evaluate, IfThenElse, seq
from tvmscript.ir.transform.errors import InvalidAllreduce
from tvmscript.ir.transform.threads.lower_thread_allreduce.allreduce import (
    UINT32,
    Allreduce,
    constant,
    less,
    load,
)

_KINDS: Final = {"int": "s", "uint": "u", "float": "f"}


class Cluster(NamedTuple):
    """The blocks of a cluster: the number of a block in it, and how many there are."""

    rank: Var
    size: int


def reduce_over_cluster(allreduce: Allreduce, results: Sequence[Expr], cluster: Cluster) -> list[Expr]:
    """Add the statements that combine the results of the blocks; return loads of the results, in every thread.

    Blocks wait for each other before they store, so that all have begun and none reads results of before, and before
    they read. Raises `InvalidAllreduce`.
    """
    group = allreduce.group
    if group.group_extent != 1 or group.extent < cluster.size:
        raise InvalidAllreduce(reason=f"all threads, {cluster.size} at least, of a block of a cluster reduce together")
    parts = allreduce.memory("cluster_part{}", cluster.size, "shared")
    address = make_buffer((constant(1),), UINT32, "cluster_address", scope="local")
    stores: list[Stmt] = []
    for part, result in zip(parts, results, strict=True):
        own = Call(UINT32, INSTRUCTIONS["cuda.cvta_generic_to_shared"], (address_of(load(part, cluster.rank)),))
        operands = PtxOperands((load(address), own, cast(UINT32, group.index)))
        stores.append(Evaluate(ptx_call("mapa", ("shared::cluster", "u32"), operands)))
        words = ("shared::cluster", _type_word(result.dtype))
        stores.append(Evaluate(ptx_call("st", words, PtxOperands((load(address), result)))))
    totals = allreduce.memory("cluster_result{}", 1, "local")
    combined: list[Expr] = [load(part) for part in parts]
    allreduce.statements += [
        _wait_for_cluster(),
        IfThenElse(less(group.index, cluster.size), seq(*stores)),
        _wait_for_cluster(),
        allreduce.store_all(totals, combined, constant(0)),
    ]
    for rank in range(1, cluster.size):
        combined = allreduce.combine([load(total) for total in totals], [load(part, constant(rank)) for part in parts])
        allreduce.statements.append(allreduce.store_all(totals, combined, constant(0)))
    own_results = [result.buffer for result in results if isinstance(result, BufferLoad)]
    allreduce.buffers += [*own_results, *parts, address]
    return [load(total) for total in totals]


def _wait_for_cluster() -> Stmt:
    return Evaluate(Call("void", INSTRUCTIONS["cuda.cluster_sync"], ()))


def _type_word(dtype: DType) -> str:
    """Return the type of PTX of values. Raises `InvalidAllreduce` for those that it does not store."""
    if dtype.code not in _KINDS or dtype.bits not in (32, 64) or dtype.lanes != 1:
        raise InvalidAllreduce(reason=f"blocks of a cluster reduce values of 32 or 64 bits, not {dtype}")
    return f"{_KINDS[dtype.code]}{dtype.bits}"
