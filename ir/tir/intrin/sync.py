"""Synchronization of threads: barriers, reductions over a block, exchange within a warp."""

from __future__ import annotations

from typing import NamedTuple

from tvmscript.ir.core import CallEffect
from tvmscript.ir.core.dtype import HANDLE, INT32, UINT64, DType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Call
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic, script_intrinsic

UPDATE = CallEffect.UPDATE_STATE
UINT32 = DType("uint32")

tvm_storage_sync = script_intrinsic(
    "tvm_storage_sync",
    "storage_scope *lead_and_blocks",
    INT32,
    num_inputs=-1,
    effect=UPDATE,
    doc="Wait for all threads that share the scope; for `global`: whether the thread counts, number of blocks.",
)
tvm_global_barrier_kinit = script_intrinsic(
    "tvm_global_barrier_kinit", "", INT32, num_inputs=-1, effect=UPDATE, doc="Set up the barrier of all blocks."
)
tvm_thread_allreduce = script_intrinsic(
    "tvm_thread_allreduce",
    "*freduce_args",
    HANDLE,
    least_inputs=1,
    effect=UPDATE,
    doc="Reduce values over the threads of a block: count, values, condition, results, thread variables.",
)


class AllreduceArguments(NamedTuple):
    """The arguments of `tvm_thread_allreduce`."""

    values: tuple[Expr, ...]
    #: whether the thread has values; others give the identity
    condition: Expr
    #: elements that are written, in bool buffers through a cast
    results: tuple[Expr, ...]
    threads: tuple[Expr, ...]


def allreduce_arguments(call: Call, size: int) -> AllreduceArguments | None:
    """Return the arguments of a reduction of `size` values over threads; None where there are fewer."""
    args = call.args
    if len(args) < 2 + 2 * size:
        return None
    return AllreduceArguments(args[1 : 1 + size], args[1 + size], args[2 + size : 2 + 2 * size], args[2 + 2 * size :])


tvm_warp_activemask = script_intrinsic(
    "tvm_warp_activemask",
    "",
    UINT32,
    num_inputs=-1,
    effect=UPDATE,
    cuda="__activemask()",
    doc="The mask of active threads.",
)


def _shuffle(name: str, params: str, cuda: str, doc: str) -> Intrinsic:
    return script_intrinsic(
        name, params, lambda args: args[1].dtype, num_inputs=-1, least_inputs=2, effect=UPDATE, cuda=cuda, doc=doc
    )


tvm_warp_shuffle = _shuffle(
    "tvm_warp_shuffle",
    "mask value warp_id width warp_size",
    "__shfl_sync({mask}, {value}, {warp_id}, {width})",
    "The value of another thread of the warp.",
)
tvm_warp_shuffle_up = _shuffle(
    "tvm_warp_shuffle_up",
    "mask value offset width warp_size",
    "__shfl_up_sync({mask}, {value}, {offset}, {width})",
    "The value of the thread `offset` below.",
)
tvm_warp_shuffle_down = _shuffle(
    "tvm_warp_shuffle_down",
    "mask value offset width warp_size",
    "__shfl_down_sync({mask}, {value}, {offset}, {width})",
    "The value of the thread `offset` above.",
)

# What the device's lowering makes of the warp operators.
for _family, _mask in (("cuda", UINT32), ("hip", UINT64)):
    Intrinsic(
        f"{_family}.__activemask",
        "",
        _mask,
        script_name="",
        cuda="__activemask()" if _family == "cuda" else None,
        doc="The mask of active threads.",
    )
    for _name in ("__shfl_sync", "__shfl_up_sync", "__shfl_down_sync"):
        Intrinsic(
            f"{_family}.{_name}",
            "mask value lane width",
            lambda args: args[1].dtype,
            effect=UPDATE,
            script_name="",
            cuda=f"{_name}({{mask}}, {{value}}, {{lane}}, {{width}})" if _family == "cuda" else None,
            doc=f"{_name} of {_family}.",
        )
for _name in ("simd_shuffle", "simd_shuffle_up", "simd_shuffle_down"):
    Intrinsic(
        f"metal.{_name}",
        "value lane",
        lambda args: args[0].dtype,
        effect=UPDATE,
        script_name="",
        doc=f"{_name} of Metal.",
    )
