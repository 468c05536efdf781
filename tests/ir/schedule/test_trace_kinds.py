"""Every kind of instruction: the JSON that TVM writes for the same script, its lines of Python, and both replays."""

from __future__ import annotations

import json
from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.scripts import for_oracle, load_script, script_of
from tvmscript.ir.core.equality.equal import assert_structural_equal, structural_equal
from tvmscript.ir.schedule.instruction import InstructionKind
from tvmscript.schedule import Schedule, Trace

PROGRAM = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    D = T.alloc_buffer((16, 16))
    for i, j in T.grid(16, 16):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = A[vi, vj] + T.float32(1)
    for i, j, k in T.grid(16, 16, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + D[vi, vk] * B[vk, vj]
"""
PADDED = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((20,), "float32")):
    for i in range(20):
        with T.block("D"):
            vi = T.axis.spatial(20, i)
            D[vi] = T.if_then_else(2 <= vi and vi < 18, A[vi - 2], T.float32(0))
"""
INPLACE = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32")):
    for i, j in T.grid(16, 16):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            A[vi, vj] = A[vi, vj] + T.float32(1)
"""
GATHERED = """
@T.prim_func
def main(A: T.Buffer((64,), "float32"), D: T.Buffer((64,), "float32")):
    for i in range(64):
        with T.block("D"):
            vi = T.axis.spatial(64, i)
            D[vi] = A[vi // 4 * 4] + A[vi // 4 * 4 + 1]
"""
POOLED = """
@T.prim_func
def main(A: T.Buffer((12, 16), "int8"), C: T.Buffer((8, 16), "int8")):
    D = T.alloc_buffer((10, 16), "int8")
    for i, j, k in T.grid(10, 16, 3):
        with T.block("D"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                D[vi, vj] = T.int8(-127)
            D[vi, vj] = T.max(D[vi, vj], A[vi + vk, vj])
    for i, j, k in T.grid(8, 16, 3):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.int8(-127)
            C[vi, vj] = T.max(C[vi, vj], D[vi + vk, vj])
"""
ALIKE = """
@T.prim_func
def main(
    A: T.Buffer((16,), "float32"),
    B: T.Buffer((16,), "float32"),
    C: T.Buffer((16,), "float32"),
    D: T.Buffer((16,), "float32"),
):
    for u in range(1):
        for i in range(16):
            with T.block("B"):
                vi = T.axis.spatial(16, i)
                B[vi] = A[vi] + T.float32(1)
        for i in range(16):
            with T.block("C"):
                vi = T.axis.spatial(16, i)
                C[vi] = A[vi] * T.float32(2)
        for i in range(16):
            with T.block("D"):
                vi = T.axis.spatial(16, i)
                D[vi] = A[vi] * T.float32(3)
"""
_LOOPS = 'i, j, k = sch.get_loops(sch.get_block("C"))'

#: what is done, one step to a line; the kinds of instructions are in it
SCRIPTS: dict[str, tuple[str, ...]] = {
    "GetChildBlocks": (_LOOPS, "sch.get_child_blocks(i)"),
    "GetProducers": ('sch.get_producers("C")', 'sch.get_consumers("D")'),
    "GetOutputBlocks": ('sch.get_output_blocks("root")',),
    "Split": (_LOOPS, "sch.split(i, [2, None])", "sch.split(k, [4, 4], preserve_unit_iters=False)"),
    "LoopPartition": (_LOOPS, "sch.loop_partition(i, [2, None, 3])"),
    "Merge": ('sch.merge(sch.get_loops("B")[1], sch.get_loops("C")[1])',),
    "Fuse": (_LOOPS, "sch.fuse(i, j, preserve_unit_iters=False)", "sch.unroll(k)"),
    "Reorder": (_LOOPS, "sch.reorder(k, i)", "sch.vectorize(j)", "sch.parallel(i)"),
    "AddUnitLoop": (_LOOPS, "sch.add_unit_loop(i)", 'sch.add_unit_loop(sch.get_block("D"))'),
    "Bind": (_LOOPS, 'sch.bind(i, "blockIdx.x")', "sch.enter_postproc()", "sch.unroll(k)"),
    "Annotate": (
        'block = sch.get_block("C")',
        'sch.annotate(block, "list", [1, 2.5, "s"])',
        'sch.annotate(block, "text", "it is text")',
        'sch.annotate(block, "float", 0.1)',
        'sch.annotate(block, "bool", True)',
        'sch.annotate(block, "numbers", {"y": [1, 2.5], "x": 1})',
        'sch.unannotate(block, "float")',
    ),
    "Annotate quoted": (
        'block = sch.get_block("C")',
        'sch.annotate(block, "quoted", "some \\"text\\"")',
        'sch.annotate(block, "dict", {"x": 1, "y": [1, 2.5, "s"], "z": "t"})',
        'sch.annotate(block, "whole", [1.0, 1e20, -3.0, 1e-10])',
    ),
    "SampleCategorical": (
        "v = sch.sample_categorical([1, 2, 4], [0.1, 0.6, 0.3])",
        'block = sch.get_block("C")',
        'sch.annotate(block, "one", v)',
        'sch.annotate(block, "some", [v, 1])',
        "sch.split(sch.get_loops(block)[0], [None, v])",
    ),
    "SamplePerfectTile": (_LOOPS, "sch.split(i, sch.sample_perfect_tile(i, 3, max_innermost_factor=8))"),
    "SamplePartitionedTile": (_LOOPS, "sch.split(i, sch.sample_partitioned_tile(i, 2, 1, 2))"),
    "SampleComputeLocation": ('sch.compute_at("D", sch.sample_compute_location("D"))',),
    "ComputeAt": (_LOOPS, 'sch.compute_at("D", i, preserve_unit_loops=True, index=0)'),
    "ReverseComputeAt": ('sch.reverse_compute_at("C", sch.get_loops("D")[0])',),
    "ComputeInline": ('sch.compute_inline("D")',),
    "ReverseComputeInline": ('sch.reverse_compute_inline(sch.cache_write("D", 0, "global"))',),
    "DecomposeReduction": (_LOOPS, 'sch.decompose_reduction("C", k)'),
    "RFactor": (_LOOPS, "sch.rfactor(k, 0)"),
    "DecomposePadding": ('sch.decompose_padding("D", sch.get_loops("D")[0])',),
    "PadEinsum": ('sch.pad_einsum("C", [3, 5, 1])',),
    "ReorderBlockIterVar": ('sch.reorder_block_iter_var(sch.get_block("C"), [1, 0, 2])',),
    "CacheRead": ('sch.cache_read("C", 0, "shared")', 'sch.cache_read("C", "B", "local", [sch.get_block("C")])'),
    "CacheWrite": ('sch.cache_write("C", 0, "local")', 'sch.cache_write("D", 0, "shared", [sch.get_block("C")])'),
    "CacheInplace": ('sch.cache_inplace("D", 0, "local")',),
    "CacheIndex": ('sch.cache_index("D", "global", 1)',),
    "ReIndex": ('sch.reindex("C", ("write", 0))', 'sch.reindex("C", ("read", 1))'),
    "ReindexCacheRead": (
        'sch.reindex_cache_read("C", 0, "shared", lambda i, j, k: (k, i))',
        'sch.reindex_cache_write("C", 0, "shared", lambda i, j, k: (j, i))',
    ),
    "ReadAt": (_LOOPS, 'sch.read_at(j, sch.get_block("C"), 1, "shared")'),
    "WriteAt": (_LOOPS, 'sch.write_at(j, sch.get_block("C"), 0, "shared")'),
    "RollingBuffer": (
        'i, j, k = sch.get_loops("C")',
        "o, _ = sch.split(i, [4, 2])",
        'sch.compute_at("D", o)',
        'sch.rolling_buffer("D", 0)',
    ),
    "StorageAlign": (
        'sch.storage_align("D", 0, 0, 32, 8)',
        'sch.set_scope("D", 0, "shared")',
        'sch.unsafe_set_dtype("D", 0, "float16")',
    ),
    "TransformLayout": (
        'sch.transform_layout("D", ("write", 0), lambda i, j: (j, i))',
        'sch.transform_layout("C", "B", lambda i, j: (j // 4, i, j % 4), assume_injective_transform=True)',
    ),
    "TransformLayout padded": (
        'sch.transform_layout("D", "D", lambda i, j: (j, i // 5, i % 5), pad_value=lambda i, j, k: 0.5)',
    ),
    "TransformBlockLayout": ('sch.transform_block_layout("D", lambda i, j: (j, i // 4, i % 4))',),
    "SetAxisSeparator": ('sch.set_axis_separator("D", ("write", 0), [1])',),
    "Blockize": (_LOOPS, 'sch.annotate(sch.blockize(j), "note", 1)'),
    "UnsafeHideBufferAccess": ('sch.unsafe_hide_buffer_access(sch.get_block("C"), "read", [1])',),
}
_PROGRAMS = {
    "Merge": ALIKE,
    "DecomposePadding": PADDED,
    "CacheInplace": INPLACE,
    "CacheIndex": GATHERED,
    "RollingBuffer": POOLED,
}
#: lines of TVM that are no Python, or do something else: text in text, text in dicts, whole floats, wrong parameters
_LINES_DIFFER = {"Annotate quoted", "ReIndex", "GetOutputBlocks"}
#: TVM's result is not well formed
_NO_TVM = {"CacheInplace"}
#: our blocks say more of what they read and write
_REGIONS_DIFFER = {"CacheIndex", "LoopPartition"}
#: TVM cannot write these as Python, and the oracle does so with each script; their traces are replayed all the same
_NO_LINES = {"DecomposePadding"}
#: our own instructions, and those with tests of their own
_NO_SCRIPT = {"Tensorize", "UnsafeInjectCallArgument", "UnsafeRewriteBufferRegion", "AnnotateBufferAccess"}

every_script = pytest.mark.parametrize("name", SCRIPTS)


def program(name: str) -> str:
    return _PROGRAMS.get(name, PROGRAM)


def scheduled(name: str, seed: int = 3) -> Schedule:
    sch = Schedule(tvmscript.from_source(program(name)), seed=seed)
    load_script(script_of(*SCRIPTS[name]))(sch)
    return sch


def graphs_read(value: Any) -> Any:
    """A JSON value with the texts of node graphs as JSON, numbered and spaced in any way."""
    if isinstance(value, list):
        return [graphs_read(item) for item in value]
    if isinstance(value, str) and value.startswith("{"):
        graph = json.loads(value)
        return _node(graph["nodes"], graph["root"])
    return value


def _node(nodes: list[Any], place: int) -> Any:
    """A node of a graph with what it refers to in it."""
    entry = nodes[place]
    attrs = {
        key: item if key in ("dtype", "value") or not item.isdigit() else _node(nodes, int(item))
        for key, item in entry.get("attrs", {}).items()
        if key != "span"
    }
    return [entry["type_key"], entry.get("repr_str"), attrs, [_node(nodes, item) for item in entry.get("data", ())]]


def test_every_kind_has_a_script() -> None:
    done = {inst.kind.name for name in SCRIPTS for inst in scheduled(name).trace.insts}
    assert set(InstructionKind.registry) - done <= _NO_SCRIPT


@pytest.mark.oracle
@every_script
def test_tvm_writes_the_same(name: str, oracle: Any) -> None:
    if name in _NO_TVM:
        pytest.skip("TVM's result is not well formed")
    sch = scheduled(name)
    if name not in _NO_LINES:
        _check_script(name, sch, oracle)
    if name in _REGIONS_DIFFER:
        return
    # our trace does the same there
    replayed = tvmscript.from_source(oracle.replay(for_oracle(sch.trace), program(name)), check_well_formed=False)
    assert structural_equal(sch.mod, replayed), tvmscript.diff(replayed, sch.mod).text()


def _check_script(name: str, sch: Schedule, oracle: Any) -> None:
    """Compare what TVM writes, and do its trace here."""
    theirs = oracle.schedule(script_of(*SCRIPTS[name]), program(name), seed=3)
    assert graphs_read(for_oracle(sch.trace)) == graphs_read(theirs["trace"])
    if name not in _LINES_DIFFER:
        assert sch.trace.as_python() == theirs["python"]
    again = Schedule(tvmscript.from_source(program(name)))
    Trace.from_json(theirs["trace"]).apply_to_schedule(again)
    assert_structural_equal(again.mod, sch.mod)
    their_result = tvmscript.from_source(theirs["text"], check_well_formed=False)
    is_same = name in _REGIONS_DIFFER or structural_equal(again.mod, their_result)
    assert is_same, tvmscript.diff(their_result, again.mod).text()


@every_script
def test_python_and_json_do_the_same(name: str) -> None:
    sch = scheduled(name)
    for trace in (sch.trace, sch.trace.simplified(), Trace.from_json(json.dumps(sch.trace.as_json()))):
        again = Schedule(tvmscript.from_source(program(name)))
        trace.apply_to_schedule(again)
        assert_structural_equal(again.mod, sch.mod)
        assert trace.as_python() == Trace.from_json(trace.as_json()).as_python()
    names: dict[str, Any] = {"tir": tvmscript.tir, "T": tvmscript.T}
    exec(str(sch.trace), names)
    again = Schedule(tvmscript.from_source(program(name)))
    names["apply_trace"](again)
    assert_structural_equal(again.mod, sch.mod)
    assert again.trace.as_python() == sch.trace.as_python()
