"""Traces: JSON as TVM has it, Python programs that do the same again, and what is left out of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.test_schedule import MATMUL
from tvmscript import T
from tvmscript.ir.core.equal import assert_structural_equal
from tvmscript.ir.schedule import node_graph
from tvmscript.ir.schedule.node_graph import BadNodeGraph
from tvmscript.ir.schedule.trace_json import BadTrace
from tvmscript.ir.tir.expr import Cast, FloorDiv, IntImm, Not, Select, SizeVar
from tvmscript.ir.tir.index_map import IndexMap
from tvmscript.ir.tir.var import Var
from tvmscript.schedule import Schedule, Trace

# what TVM 0.17 writes for the steps of `tiled`
JSON = [
    [
        ["GetBlock", [], ["C", "main"], ["b0"]],
        ["GetLoops", ["b0"], [], ["l1", "l2", "l3"]],
        ["Split", ["l1", "None", 8], [1, 0], ["l4", "l5"]],
        ["Split", ["l3", 4, 4], [1, 1], ["l6", "l7"]],
        ["EnterPostproc", [], [], []],
        ["GetChildBlocks", ["l5"], [], ["b8"]],
    ],
    [],
]
PYTHON = """\
# from tvm import tir
def apply_trace(sch: tir.Schedule) -> None:
  b0 = sch.get_block(name="C", func_name="main")
  l1, l2, l3 = sch.get_loops(block=b0)
  l4, l5 = sch.split(loop=l1, factors=[None, 8], preserve_unit_iters=True, disable_predication=False)
  l6, l7 = sch.split(loop=l3, factors=[4, 4], preserve_unit_iters=True, disable_predication=True)
  sch.enter_postproc()
  b8, = sch.get_child_blocks(block_or_loop=l5)"""


def fresh() -> Schedule:
    return Schedule(tvmscript.from_source(MATMUL))


def tiled() -> Schedule:
    sch = fresh()
    i, _, k = sch.get_loops("C")
    _, inner = sch.split(i, [None, 8])
    sch.split(k, [4, 4], disable_predication=True)
    sch.enter_postproc()
    sch.get_child_blocks(inner)
    return sch


def test_json() -> None:
    sch = tiled()
    assert sch.trace.as_json() == JSON
    for given in (JSON, json.dumps(JSON)):
        read = Trace.from_json(given)
        assert read.as_json() == JSON
        again = fresh()
        read.apply_to_schedule(again)
        assert_structural_equal(again.mod, sch.mod)
        assert again.trace.as_json() == JSON


def test_json_of_tvm(oracle: Any) -> None:
    script = """
def schedule(sch):
    i, j, k = sch.get_loops(sch.get_block("C"))
    i0, i1 = sch.split(i, [None, 8])
    sch.split(k, [4, 4], disable_predication=True)
    sch.enter_postproc()
    sch.get_child_blocks(i1)
"""
    done = oracle.schedule(script, MATMUL)
    assert done["trace"] == JSON
    # TVM writes get_child_blocks without the name of its parameter
    assert done["python"][:-1] == tiled().trace.as_python()[:-1]
    replayed = oracle.replay(tiled().trace.as_json(), MATMUL)
    assert_structural_equal(tiled().mod, tvmscript.from_source(replayed))


def test_python_program_does_the_same() -> None:
    sch = tiled()
    assert str(sch.trace) == PYTHON
    names: dict[str, Any] = {"tir": tvmscript.tir}
    exec(str(sch.trace), names)
    again = fresh()
    names["apply_trace"](again)
    assert_structural_equal(again.mod, sch.mod)
    assert str(Trace()).splitlines()[-1] == "  pass"


def test_what_nothing_uses_is_left_out() -> None:
    trace = tiled().trace
    assert [inst.kind.name for inst in trace.simplified().insts] == [
        "GetBlock",
        "GetLoops",
        "Split",
        "Split",
        "EnterPostproc",
    ]
    assert [inst.kind.name for inst in trace.simplified(remove_postproc=True).insts][-1] == "Split"
    assert trace.as_python(remove_postproc=True) == trace.as_python()[:4]
    last = trace.pop()
    assert last is not None
    assert last.kind.name == "GetChildBlocks"
    assert len(trace.insts) == 5
    assert Trace().pop() is None


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("[", "the text is no part of a trace"),
        ([[]], "a trace is"),
        ([[["Split"]], []], "is not \\[kind, inputs, attributes, outputs\\]"),
        ([[["Splitt", [], [], []]], []], "there is no instruction Splitt"),
        ([[["GetLoops", ["b7"], [], []]], []], "b7 is used before"),
        ([[["GetBlock", [], ["C"], ["b0"]]], []], "the attribute func_name of GetBlock is missing"),
        ([[], [[0, 1]]], "a decision is"),
    ],
)
def test_what_is_no_trace(value: Any, problem: str) -> None:
    with pytest.raises(BadTrace, match=problem):
        Trace.from_json(value)


# TVM 0.17's text of `lambda i, j: (i // 4, j)`
GRAPH = """{"root": 1, "nodes": [{"type_key": ""},
{"type_key": "tir.IndexMap", "attrs": {"final_indices": "9", "initial_indices": "2", "inverse_index_map": "0"}},
{"type_key": "Array", "data": [3, 6]},
{"type_key": "tir.Var", "attrs": {"dtype": "int32", "name": "4", "span": "0", "type_annotation": "5"}},
{"type_key": "runtime.String", "repr_str": "i"}, {"type_key": "PrimType", "attrs": {"dtype": "int32"}},
{"type_key": "tir.Var", "attrs": {"dtype": "int32", "name": "7", "span": "0", "type_annotation": "8"}},
{"type_key": "runtime.String", "repr_str": "j"}, {"type_key": "PrimType", "attrs": {"dtype": "int32"}},
{"type_key": "Array", "data": [10, 6]},
{"type_key": "tir.FloorDiv", "attrs": {"a": "3", "b": "11", "dtype": "int32", "span": "0"}},
{"type_key": "IntImm", "attrs": {"dtype": "int32", "span": "0", "value": "4"}}],
"b64ndarrays": [], "attrs": {"tvm_version": "0.17.dev0"}}"""


def test_index_maps_of_tvm() -> None:
    read = node_graph.load(GRAPH)
    assert_structural_equal(read, IndexMap.from_func(lambda i, j: (i // 4, j), index_dtype="int32"))
    assert_structural_equal(node_graph.load(node_graph.dump(read)), read)


def test_every_form_of_expression_reads_back() -> None:
    i, n = Var("i", "int32"), SizeVar("n", "int32")
    four = IntImm("int32", 4)
    forms = [
        i + n * 2 - FloorDiv(i, four) + i % 3,
        T.max(i, n) + T.min(i, 1) + T.truncdiv(i, n) + T.truncmod(i, n),
        Select(Not(T.And(i < n, T.Or(i <= n, i == n))), i, n),
        T.if_then_else(T.And(i > n, T.And(i >= n, i != n)), T.shift_left(i, 2), i ^ n),
        Cast("float32", i) * T.float32(1.5),
    ]
    for form in forms:
        again = node_graph.load(node_graph.dump(form))
        assert_structural_equal(again, form, map_free_vars=True)
        assert str(again) == str(form)
    mapped = IndexMap.from_func(lambda a, b: (a * 4 + b,), inverse_index_map=lambda c: (c // 4, c % 4))
    assert_structural_equal(node_graph.load(node_graph.dump(mapped)), mapped)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"root": 5, "nodes": []}',
        '{"root": 1, "nodes": [{}, {"type_key": "tir.For", "attrs": {}}]}',
        '{"root": 1, "nodes": [{}, {"type_key": "tir.Add", "attrs": {"a": "1", "b": "1"}}]}',
        '{"root": 1, "nodes": [{}, {"type_key": "Op", "repr_str": "no_such_op"}]}',
    ],
)
def test_what_is_no_node_graph(text: str) -> None:
    with pytest.raises(BadNodeGraph):
        node_graph.load(text)


def test_what_a_node_graph_cannot_hold() -> None:
    with pytest.raises(BadNodeGraph):
        node_graph.dump(tvmscript.from_source(MATMUL))
