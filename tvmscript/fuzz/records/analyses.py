"""Observe what analyses say of the functions of a module, of their blocks, and of their loops."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice, permutations
from typing import Any, Final

from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.fuzz.records.outcomes import describe
from tvmscript.ir.analysis.access.access_summary import touches_of
from tvmscript.ir.analysis.access.access_walk import changing_memory, leaves_early
from tvmscript.ir.analysis.access.out_of_bounds import check_bounds
from tvmscript.ir.analysis.access.plain_bounds import stays_plainly_inside
from tvmscript.ir.analysis.access.races import check_races
from tvmscript.ir.analysis.access.scalarize import ends_of, lane
from tvmscript.ir.analysis.blocks.block_access import access_regions
from tvmscript.ir.analysis.blocks.block_dependence import BlockDependenceInfo
from tvmscript.ir.analysis.blocks.copy_loops import identify_memcpy
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
from tvmscript.ir.analysis.memory.buffer_lca import buffer_scopes, detect_buffer_access_lca
from tvmscript.ir.analysis.memory.in_place import is_in_place
from tvmscript.ir.analysis.memory.liveness import MemoryOrder, lifetimes
from tvmscript.ir.analysis.memory.pointer_element_type import Place, preferred_elements
from tvmscript.ir.analysis.memory.required_allocation import accessed_boxes
from tvmscript.ir.analysis.purity import is_pure_function
from tvmscript.ir.analysis.undefined_vars import undefined_vars
from tvmscript.ir.analysis.verify.block_statements import check_blocks
from tvmscript.ir.analysis.verify.gpu_code import LIMITS, find_violations
from tvmscript.ir.analysis.verify.lossy_stores import check_stores
from tvmscript.ir.analysis.verify.memory import host_accesses
from tvmscript.ir.analysis.verify.ssa import assert_ssa, verify_ssa
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import IRModule, TVMScriptError, nodes
from tvmscript.ir.tir import Block, BufferLoad, BufferStore, Expr, For, IntImm, PrimFunc, Var


def _order(func: PrimFunc) -> object:
    order = MemoryOrder(func.body)
    return order.steps, order.allocations, order.accessed, lifetimes(order.steps)


def _sizes(func: PrimFunc) -> dict[Var, int]:
    sizes = (node for buffer in func.buffer_map.values() for node in nodes(buffer) if isinstance(node, Var))
    return {var: 7 for var in (*func.params, *sizes) if var.dtype.is_integer}


def _races(func: PrimFunc) -> list[TVMScriptError]:
    report = check_races(func)
    return [race.error() for race in (*report.races, *report.unknown)]


#: pairs of buffers of a statement
_MOST_PAIRS: Final = 6
#: what is asked of a function
_OF_FUNCTIONS: Final[dict[str, Callable[[PrimFunc], Any]]] = {
    "bounds": check_bounds, "races": check_races, "race errors": _races, "plainly inside": stays_plainly_inside,
    "touches": touches_of,
    "changing": changing_memory, "leaves early": leaves_early, "flops": estimate_tir_flops,
    "bytes": estimate_tir_bytes, "iterations": iterations_of, "allocated": calculate_allocated_bytes,
    "operations": lambda func: operations_of(func.body), "work": lambda func: work_of(func, _sizes(func)),
    "workspace": lambda func: calculate_workspace_bytes(func, 64),
    "constants": lambda func: calculate_constant_bytes(func, 64),
    "common scopes": detect_buffer_access_lca, "scopes": lambda func: buffer_scopes(func.body), "order": _order,
    "elements": lambda func: preferred_elements(func, Place.ANYWHERE, True), "pure": is_pure_function,
    "boxes": lambda func: accessed_boxes(func.body, is_strict=False),
    "strict boxes": lambda func: accessed_boxes(func.body, is_strict=True, is_constant_on_chip=True),
    "undefined": lambda func: undefined_vars(func.body), "host accesses": host_accesses, "ssa": verify_ssa,
    "in ssa": assert_ssa, "block errors": check_blocks, "store errors": check_stores,
    "limits": lambda func: find_violations(func, dict.fromkeys(LIMITS, 3)),
}  # fmt: skip


def observe_analyses(module: IRModule) -> None:
    """Observe what analyses say of a module."""
    _ask("anchor", partial(find_anchor_block, module))
    _ask("dependences", lambda: [_dependences(func) for func in module.values() if isinstance(func, PrimFunc)])
    for func in module.values():
        if not isinstance(func, PrimFunc):
            continue
        for word, function in _OF_FUNCTIONS.items():
            _ask(word, partial(function, func))
        visible = {buffer.data: buffer for buffer in func.buffer_map.values()}
        for node in nodes(func):
            if isinstance(node, Block):
                _ask("regions", partial(access_regions, node, visible))
                _ask("reduction", partial(reduction_of, node))
            elif isinstance(node, For):
                _ask("copy", partial(identify_memcpy, node, Analyzer()))
            if isinstance(node, For | BufferStore):
                for new, old in islice(permutations(_memory(node), 2), _MOST_PAIRS):
                    _ask("in place", partial(is_in_place, node, new, old, ()))
            if isinstance(node, BufferStore):
                _ask("ends", partial(_ends, node))
                _ask("lane", partial(lane, node.value, IntImm("int32", 0)))


def _ends(store: BufferStore) -> list[list[Expr] | None]:
    return [ends_of(index) for index in store.indices]


def _memory(node: For | BufferStore) -> list[Var]:
    return [*dict.fromkeys(each.buffer.data for each in nodes(node) if isinstance(each, BufferLoad | BufferStore))]


def _dependences(func: PrimFunc) -> object:
    scopes = BlockDependenceInfo(func).sref2scope.values()
    return [
        [
            (edge.kind, edge.src.stmt, edge.dst.stmt)
            for edge in (*scope.get_deps_by_src(each), *scope.get_deps_by_dst(each))
        ]
        for scope in scopes
        for each in scope.blocks
    ]


def _ask(word: str, question: Callable[[], Any]) -> None:
    try:
        answer = question()
    except TVMScriptError as error:
        observe_error(error)
        return
    except NoReduction as error:
        observe("NoReduction", str, error)
        return
    observe(word, describe, answer)
    for each in answer if isinstance(answer, list) else ():
        if isinstance(each, TVMScriptError):
            observe_error(each)
        elif hasattr(each, "error"):
            observe_error(each.error())
