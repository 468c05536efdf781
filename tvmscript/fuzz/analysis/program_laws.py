"""Laws of all analyses: what they say of a program does not depend on its objects."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from tvmscript.fuzz.codegen.machine import as_main
from tvmscript.fuzz.laws import Law, require
from tvmscript.fuzz.passes.programs import given_for
from tvmscript.fuzz.records.outcomes import describe
from tvmscript.ir.analysis.access.access_walk import changing_memory, leaves_early
from tvmscript.ir.analysis.access.plain_bounds import stays_plainly_inside
from tvmscript.ir.analysis.access.races import check_races
from tvmscript.ir.analysis.blocks.block_access import access_regions, block_access
from tvmscript.ir.analysis.blocks.reducers import NoReduction, reduction_of
from tvmscript.ir.analysis.cost.flops import estimate_tir_bytes, estimate_tir_flops, find_anchor_block
from tvmscript.ir.analysis.cost.loop_cost import operations_of
from tvmscript.ir.analysis.cost.op_count import work_of
from tvmscript.ir.analysis.cost.trip_count import iterations_of
from tvmscript.ir.analysis.memory.allocated_bytes import (
    calculate_allocated_bytes,
    calculate_constant_bytes,
    calculate_workspace_bytes,
)
from tvmscript.ir.analysis.memory.buffer_lca import detect_buffer_access_lca
from tvmscript.ir.analysis.purity import is_pure_function
from tvmscript.ir.analysis.undefined_vars import undefined_vars
from tvmscript.ir.analysis.verify.block_statements import check_blocks
from tvmscript.ir.analysis.verify.gpu_code import find_violations
from tvmscript.ir.analysis.verify.lossy_stores import check_stores
from tvmscript.ir.analysis.verify.memory import host_accesses
from tvmscript.ir.analysis.verify.ssa import verify_ssa
from tvmscript.ir.core import IRError, nodes
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.tir.stmt import Block
from tvmscript.ir.transform.registry import pass_modules
from tvmscript.parser import from_source
from tvmscript.printer.errors import NoText

#: limits that kernels of the fuzzer keep or exceed
_LIMITS: Final = {
    "max_threads_per_block": 16, "max_thread_x": 8, "max_local_memory_per_block": 64,
    "max_shared_memory_per_block": 64, "max_vthread": 2, "max_vector_bytes": 8, "max_kernels": 1,
}  # fmt: skip


def _of_blocks(analysis: Callable[[Block], Any]) -> Callable[[PrimFunc], Any]:
    """Return an analysis of functions that asks one about each block."""

    def answers(func: PrimFunc) -> list[Any]:
        return [_answer(analysis, block) for block in nodes(func.body) if isinstance(block, Block)]

    return answers


def _answer(analysis: Callable[[Any], Any], program: Any) -> Any:
    """Return what an analysis says, or the error that it raises."""
    try:
        return analysis(program)
    except (IRError, NoReduction) as error:
        return str(error)


def _regions(block: Block) -> Any:
    """Return the regions of a block that sees the buffers of its regions."""
    visible = {region.buffer.data: region.buffer for region in (*block.reads, *block.writes)}
    return access_regions(block, visible), block_access(block, visible)


ANALYSES: Final[dict[str, Callable[[PrimFunc], Any]]] = {
    "allocated_bytes": calculate_allocated_bytes,
    "anchor_of_module": lambda func: find_anchor_block(as_main(func)),
    "block_regions": _of_blocks(_regions),
    "block_faults": check_blocks,
    "bytes_moved": estimate_tir_bytes,
    "changing_memory": changing_memory,
    "constant_bytes": lambda func: calculate_constant_bytes(func, 8),
    "early_ends": leaves_early,
    "flops": estimate_tir_flops,
    "gpu_limits": lambda func: find_violations(func, _LIMITS),
    "host_accesses": host_accesses,
    "iterations": iterations_of,
    "lossy_stores": check_stores,
    "operations": lambda func: operations_of(func.body),
    "plain_bounds": stays_plainly_inside,
    "purity": is_pure_function,
    "races_of_programs": check_races,
    "reductions": _of_blocks(reduction_of),
    "scopes_of_buffers": detect_buffer_access_lca,
    "ssa": verify_ssa,
    "undefined_variables": lambda func: undefined_vars(func.body),
    "work": lambda func: work_of(func, {}),
    "workspace_bytes": lambda func: calculate_workspace_bytes(func, 16),
}


def _check(name: str, rng: random.Random) -> None:
    """Check that an analysis says the same of a program that is read again."""
    given = given_for(rng.choice(sorted(pass_modules())), rng.randrange(1 << 20))
    try:
        module = given.module()
    except IRError:
        return  # a preparatory pass refuses it
    for func in module.functions.values():
        if isinstance(func, PrimFunc):
            # names that clash become others where a program is read
            try:
                first: PrimFunc = from_source(func.script())
            except NoText:
                continue  # of the tile level
            second: PrimFunc = from_source(first.script())
            answers = [describe(_answer(ANALYSES[name], each)) for each in (first, second)]
            require("analyses", name, answers[0], answers[1])


LAWS: Final[dict[str, Law]] = {name: partial(_check, name) for name in ANALYSES}
