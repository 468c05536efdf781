"""Traces: JSON as TVM has it, Python programs that do the same again, and what is left out of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.test_schedule import MATMUL
from tvmscript import T
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.schedule.errors import UnknownRandomVariable
from tvmscript.ir.schedule.instruction import Instruction, InstructionKind
from tvmscript.ir.schedule.random_variables import LoopRV
from tvmscript.ir.schedule.trace import node_graph
from tvmscript.ir.schedule.trace.node_graph import BadNodeGraph
from tvmscript.ir.schedule.trace.to_json import BadTrace
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
  b8, = sch.get_child_blocks(l5)"""


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
    assert done["python"] == tiled().trace.as_python()
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


@pytest.mark.parametrize(
    ("inputs", "attrs", "problem"),
    [
        ((LoopRV(), None, 4), (), "its attributes are preserve_unit_iters"),
        ((LoopRV(), None, 4), (1, 0, 0), "but 3 are given"),
        ((), (1, 0), "the inputs of Split are"),
    ],
)
def test_instructions_of_another_form(inputs: tuple[Any, ...], attrs: tuple[Any, ...], problem: str) -> None:
    trace = Trace([Instruction(InstructionKind.registry["Split"], inputs, attrs, (LoopRV(), LoopRV()))])
    sch = Schedule(tvmscript.from_source(MATMUL))
    for use in (trace.as_json, trace.as_python, trace.__str__, lambda: trace.apply_to_schedule(sch)):
        with pytest.raises(BadTrace, match=problem):
            use()


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


def drawn(seed: int = 3) -> Schedule:
    """A schedule with a number that is drawn, and with post-processing."""
    sch = Schedule(tvmscript.from_source(MATMUL), seed=seed)
    i, _, _ = sch.get_loops("C")
    outer, inner = sch.split(i, sch.sample_perfect_tile(i, 2, decision=[2, 8]))
    sch.enter_postproc()
    sch.unroll(inner)
    sch.parallel(outer)
    return sch


def extents(sch: Schedule) -> list[int]:
    return [sch.get(loop).extent.value for loop in sch.get_loops("C")]  # type: ignore[attr-defined]  # constants


def test_other_decisions() -> None:
    trace = drawn().trace
    inst = next(item for item in trace.insts if item.kind.has_decision)
    assert trace.get_decision(inst) == [2, 8]
    assert trace.get_decision(trace.insts[0]) is None
    changed = trace.with_decision(inst, [4, 4], remove_postproc=True)
    sch = fresh()
    changed.apply_to_schedule(sch)
    assert extents(sch) == [4, 4, 16, 16]
    assert [*sch.trace.decisions.values()] == [[4, 4]]
    assert "unroll" not in sch.mod.script()
    assert trace.get_decision(inst) == [2, 8]
    # without a decision, one is drawn
    open_trace = Trace(trace.insts)
    first, second = Schedule(fresh().mod, seed=5), Schedule(fresh().mod, seed=5)
    open_trace.apply_to_schedule(first)
    open_trace.apply_to_schedule(second)
    assert_structural_equal(first.mod, second.mod)


def test_who_decides() -> None:
    asked: list[Any] = []

    def decide(inst: Instruction, inputs: list[Any], attrs: list[Any], decision: Any) -> Any:
        asked.append((inst.kind.name, len(inputs), attrs, decision))
        return [8, 2] if decision else decision

    sch = fresh()
    drawn().trace.apply_to_schedule(sch, remove_postproc=True, decision_provider=decide)
    assert extents(sch) == [8, 2, 16, 16]
    assert asked[2] == ("SamplePerfectTile", 1, [2, 16], [2, 8])


def test_json_is_applied_at_once() -> None:
    sch = fresh()
    Trace.apply_json_to_schedule(json.dumps(drawn().trace.as_json()), sch)
    assert_structural_equal(sch.mod, drawn().mod)


def test_what_stands_in_the_way_stops_the_replay() -> None:
    sch = fresh()
    sch.split(sch.get_loops("C")[0], [4, 4])
    trace = sch.trace
    trace.append(trace.insts[2])
    with pytest.raises(UnknownRandomVariable):
        trace.apply_to_schedule(fresh())


# what apache-tvm 0.27 writes; it ends with a segmentation fault where there are index maps
JSON_027: list[Any] = [
    [
        ["GetSBlock", [], ["C", "main"], ["b0"]],
        ["GetLoops", ["b0"], [], ["l1", "l2", "l3"]],
        ["SampleCategorical", [], [[2, 4], [0.5, 0.5]], ["v4"]],
        ["Split", ["l1", "None", "v4"], [1, 0], ["l5", "l6"]],
        ["Annotate", ["b0", {"x": [1, "s"], "y": "t"}], ["a"], []],
        ["Annotate", ["b0", ['"s"', 1.5, 1]], ["b"], []],
    ],
    [[2, 1]],
]


def test_json_of_tvm_027() -> None:
    sch = fresh()
    Trace.from_json(JSON_027).apply_to_schedule(sch)
    assert extents(sch) == [4, 4, 16, 16]
    assert str(sch.get(sch.get_block("C")).annotations["b"]) == "('s', T.float32(1.5), 1)"
    assert sch.trace.as_json()[0][1:6] == JSON_027[0][1:]
    assert sch.trace.as_json()[0][0] == ["GetBlock", [], ["C", "main"], ["b0"]]


def test_text_is_kept() -> None:
    texts = ['with "quotes"', "back\\slash", "two\nlines", "b0", '"', "None", "{"]
    sch = fresh()
    block = sch.get_block("C")
    for number, text in enumerate(texts):
        sch.annotate(block, f"text{number}", text)
        sch.annotate(block, f"texts{number}", [text])
    sch.annotate(block, "dict", {"text": "None", "texts": ["a", 'b"']})
    again = fresh()
    Trace.from_json(json.loads(json.dumps(sch.trace.as_json()))).apply_to_schedule(again)
    assert_structural_equal(again.mod, sch.mod)
    names: dict[str, Any] = {"tir": tvmscript.tir}
    exec(str(sch.trace), names)
    again = fresh()
    names["apply_trace"](again)
    assert_structural_equal(again.mod, sch.mod)


def test_expressions_of_what_was_drawn() -> None:
    # TVM cannot write these down
    sch = Schedule(tvmscript.from_source(MATMUL), seed=3)
    i, _, _ = sch.get_loops("C")
    factor = sch.sample_categorical([2, 4], [0.5, 0.5], decision=1)
    sch.split(i, [None, factor * 2])
    sch.annotate(sch.get_block("C"), "size", factor + 1)
    assert extents(sch) == [2, 8, 16, 16]
    assert any("factors=[None, v4 * 2]" in line for line in sch.trace.as_python())
    names: dict[str, Any] = {"tir": tvmscript.tir}
    exec(str(sch.trace), names)
    for do in (
        names["apply_trace"],
        sch.trace.apply_to_schedule,
        Trace.from_json(sch.trace.as_json()).apply_to_schedule,
    ):
        again = fresh()
        do(again)
        assert_structural_equal(again.mod, sch.mod)
