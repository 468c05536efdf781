"""All passes by name, each loaded when it is asked for."""

from __future__ import annotations

import importlib
from typing import Any, Final

from tvmscript.ir.core.errors import UnknownName
from tvmscript.ir.core.names import closest
from tvmscript.ir.transform.base import Pass

#: TVM's name -> the file of the pass
FILES: Final = {
    "tir.BF16ComputeLegalize": "dtypes.bf16_compute_legalize",
    "tir.BF16StorageLegalize": "dtypes.bf16_storage_legalize",
    "tir.CompactBufferAllocation": "blocks.compact_buffer_allocation",
    "tir.ConvertBlocksToOpaque": "blocks.convert_blocks_to_opaque",
    "tir.ConvertForLoopsToSerial": "loops.convert_for_loops_to_serial",
    "tir.FP8ComputeLegalize": "dtypes.fp8_compute_legalize",
    "tir.FP8StorageLegalize": "dtypes.fp8_storage_legalize",
    "tir.FlattenBuffer": "memory.flatten_buffer",
    "tir.LowerInitBlock": "blocks.lower_init_block",
    "tir.LowerMatchBuffer": "blocks.lower_match_buffer",
    "tir.LowerOpaqueBlock": "blocks.lower_opaque_block",
    "tir.PlanAndUpdateBufferAllocationLocation": "blocks.plan_and_update_buffer_allocation_location",
    "tir.PointerValueTypeRewrite": "memory.pointer_value_type_rewrite",
    "tir.RemoveAssume": "checks.remove_assume",
    "tir.RemoveNoOp": "expressions.remove_no_op",
    "tir.RemoveStoreUndef": "expressions.remove_store_undef",
    "tir.RenormalizeSplitPattern": "expressions.renormalize_split_pattern",
    "tir.RewriteUnsafeSelect": "expressions.rewrite_unsafe_select",
    "tir.Simplify": "expressions.simplify",
    "tir.SkipAssert": "checks.skip_assert",
    "tir.StorageRewrite": "memory.storage_rewrite",
    "tir.ThreadSync": "threads.thread_sync",
    "tir.UnrollLoop": "loops.unroll_loop",
    "tir.VectorizeLoop": "loops.vectorize_loop",
}


def pass_class(name: str) -> type[Pass]:
    """The class of the pass of this name. Raises `UnknownName`."""
    if name not in Pass.registry and name in FILES:
        importlib.import_module(f"tvmscript.ir.transform.{FILES[name]}")
    if name not in Pass.registry:
        raise UnknownName(kind="pass", name=name, hint=closest(name, {*FILES, *Pass.registry}))
    return Pass.registry[name]


def get_pass(name: str, *args: Any, **options: Any) -> Pass:
    """The pass of this name, such as `tir.Simplify`, with these options. Raises `UnknownName`."""
    return pass_class(name)(*args, **options)
