"""Traces read from JSON: a damaged one is refused, or replays to another program; nothing else is raised."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.test_trace_kinds import SCRIPTS, program, scheduled
from tests.json_mutations import DEEP, damaged
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.schedule.trace import node_graph
from tvmscript.ir.schedule.trace.node_graph import BadNodeGraph
from tvmscript.ir.schedule.trace.to_json import BadTrace
from tvmscript.schedule import Schedule, Trace

#: damaged traces that are tried of each kind of instruction
TRIED = 60


@pytest.mark.parametrize("name", SCRIPTS)
def test_damaged_traces(name: str) -> None:
    func = tvmscript.from_source(program(name))
    values = list(damaged(scheduled(name).trace.as_json()))
    refused = 0
    for value in random.Random(name).sample(values, min(TRIED, len(values))):
        try:
            trace = Trace.from_json(value)
            assert str(trace).startswith("# from tvm import tir")
            sch = Schedule(func)
            trace.apply_to_schedule(sch)
        except TVMScriptError:
            refused += 1
            continue
        assert sch.mod.script()
        assert Trace.from_json(sch.trace.as_json()).as_json() == sch.trace.as_json()
    assert refused


@pytest.mark.parametrize("text", [DEEP, "[[[", "[1e999, []]", '[[["EnterPostproc", [], [], []]], [[0.0, 1]]]'])
def test_texts_that_are_no_trace(text: str) -> None:
    with pytest.raises(BadTrace):
        Trace.from_json(text)


def shared(count: int) -> str:
    """Sums of sums: each node is both operands of the next one."""
    nodes = [{"type_key": ""}, {"type_key": "IntImm", "attrs": {"dtype": "int32", "value": "1"}}]
    nodes += [{"type_key": "tir.Add", "attrs": {"dtype": "int32", "a": str(i), "b": str(i)}} for i in range(1, count)]
    return json.dumps({"root": count, "nodes": nodes})


def test_shared_nodes_of_a_graph() -> None:
    assert str(node_graph.load(shared(3))) == "T.Add(1, 1) + T.Add(1, 1)"
    with pytest.raises(BadNodeGraph, match="nodes"):
        node_graph.load(shared(60))


@pytest.mark.parametrize("root", ["1e999", "-1", '"1"', "[1]", "null", "7"])
def test_roots_of_graphs(root: str) -> None:
    with pytest.raises(BadNodeGraph):
        node_graph.load(f'{{"root": {root}, "nodes": [{{"type_key": ""}}, {{"type_key": "Array", "data": []}}]}}')


BLOCK = ["GetBlock", [], ["B", "main"], ["b0"]]
END = ["EnterPostproc", [], [], []]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([[]], "a trace is [instructions, decisions]"),
        ([[], [], []], "a trace is [instructions, decisions]"),
        ([[], 1], "a trace is [instructions, decisions]"),
        ([1, []], "a trace is [instructions, decisions]"),
        ([[["EnterPostproc", [], []]], []], "is not [kind, inputs, attributes, outputs]"),
        ([[["EnterPostproc", 1, [], []]], []], "is not [kind, inputs, attributes, outputs]"),
        ([[["EnterPostproc", [], [], 1]], []], "is not [kind, inputs, attributes, outputs]"),
        ([[[1, [], [], []]], []], "is not [kind, inputs, attributes, outputs]"),
        ([[["EnterPostprog", [], [], []]], []], "there is no instruction EnterPostprog"),
        ([[BLOCK, ["GetLoops", ["b0"], [], ["l1", 2]]], []], "its outputs are names, one each"),
        ([[BLOCK, ["GetLoops", ["b0"], [], [2, "l1"]]], []], "its outputs are names, one each"),
        ([[BLOCK, ["GetLoops", ["b0"], [], ["l1", ""]]], []], "its outputs are names, one each"),
        ([[BLOCK, ["GetLoops", ["b0"], [], ["l1", "l1"]]], []], "its outputs are names, one each"),
        ([[END], [[0]]], "a decision is [index of an instruction, value]"),
        ([[END], [[1, 2]]], "a decision is [index of an instruction, value]"),
        ([[END], [[-1, 2]]], "a decision is [index of an instruction, value]"),
        ([[END], [[True, 2]]], "a decision is [index of an instruction, value]"),
    ],
)
def test_values_that_are_no_trace(value: Any, problem: str) -> None:
    with pytest.raises(BadTrace) as caught:
        Trace.from_json(value)
    assert problem in caught.value.text


@pytest.mark.parametrize("is_dict", [True, False])
@pytest.mark.parametrize(("depth", "is_read"), [(61, True), (62, False)])
def test_depth_of_values(depth: int, is_read: bool, is_dict: bool) -> None:
    """64 in all, beside values that are not as deep."""
    value: Any = 0
    for _ in range(depth):
        value = {"a": 1, "b": value} if is_dict else [1, value]
    trace = [[END], [[0, value]]]
    if is_read:
        assert Trace.from_json(trace).as_json() == trace
    else:
        with pytest.raises(BadTrace, match="it nests too deeply"):
            Trace.from_json(trace)
