"""Graphs inside of graphs compute what Google's interpreter computes: branches, loops, variables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.tvmscript.frontend.tflite.models import Call, Graph, compare, write_graphs
from tvmscript.frontend.errors import InvalidModel
from tvmscript.relax.frontend.tflite import from_tflite

_X = np.array([[1.5, -2, 3]], "float32")
_TWO, _LIMIT = {"two": np.float32(2)}, {"limit": np.float32(50)}


def _if(then: int, otherwise: int) -> Call:
    return Call("IF", ["flag", "x"], ["y"], "IfOptions", {"thenSubgraphIndex": then, "elseSubgraphIndex": otherwise})


def _binary(name: str, inputs: dict[str, Any], constants: dict[str, Any]) -> Graph:
    """A graph of one operator on its first input and the constant."""
    return Graph([Call(name, [next(iter(inputs)), *constants], ["y"])], inputs, constants, {"y": "float32"})


_DOUBLE, _HALF = (_binary(name, {"x": _X}, _TWO) for name in ("MUL", "DIV"))


@pytest.mark.parametrize("flag", [True, False])
def test_branches(flag: bool) -> None:
    inputs = {"flag": np.array([flag]), "x": _X}
    compare(write_graphs(Graph([_if(1, 2)], inputs, {}, {"y": "float32"}), _DOUBLE, _HALF), inputs)


def test_a_known_condition_chooses_the_branch() -> None:
    main = Graph([_if(2, 1)], {"x": _X}, {"flag": np.array([False])}, {"y": "float32"})
    model = write_graphs(main, _DOUBLE, _HALF)
    compare(model, {"x": _X})
    assert "if " not in from_tflite(model).script()


def _loop(condition: int, body: int, inputs: list[str], outputs: list[str]) -> Call:
    options = {"condSubgraphIndex": condition, "bodySubgraphIndex": body}
    return Call("WHILE", inputs, outputs, "WhileOptions", options)


def test_loops_in_loops() -> None:
    """The inner loop, whose state has the types of the outer one's, doubles until 50; the outer one adds until 500."""
    total = np.float32(1)
    main = Graph([_loop(1, 2, ["x"], ["y"])], {"x": total}, {}, {"y": "float32"})
    below_500 = Graph([Call("LESS", ["x", "limit"], ["y"])], {"x": total}, {"limit": np.float32(500)}, {"y": "bool"})
    calls = [_loop(3, 4, ["x"], ["a"]), Call("ADD", ["a", "x"], ["y"], "AddOptions")]
    add = Graph(calls, {"x": total}, {}, {"a": "float32", "y": "float32"})
    below_50 = Graph([Call("LESS", ["x", "limit"], ["y"])], {"x": total}, _LIMIT, {"y": "bool"})
    double = _binary("MUL", {"x": total}, _TWO)
    for start in (1, 7, 900):
        compare(write_graphs(main, below_500, add, below_50, double), {"x": np.array(start, "float32")})


def _handle() -> Call:
    return Call("VAR_HANDLE", [], ["h"], "VarHandleOptions", {"sharedName": "v"})


def test_variables_that_are_set_once() -> None:
    calls = [
        Call("CALL_ONCE", [], [], "CallOnceOptions", {"initSubgraphIndex": 1}),
        _handle(),
        Call("READ_VARIABLE", ["h"], ["v"]),
        Call("MUL", ["x", "v"], ["y"], "MulOptions"),
    ]
    main = Graph(calls, {"x": _X}, {}, {"h": "object", "v": "float32", "y": "float32"})
    start = Graph([_handle(), Call("ASSIGN_VARIABLE", ["h", "c"], [])], {}, {"c": _X + 4}, {"h": "object"})
    compare(write_graphs(main, start), {"x": _X})


@pytest.mark.parametrize(
    ("graphs", "message"),
    [
        (
            [Graph([_handle(), Call("ASSIGN_VARIABLE", ["h", "x"], [])], {"x": _X}, {}, {"h": "object"})],
            "operator 1, ASSIGN_VARIABLE: it keeps state between calls; a graph has none",
        ),
        (
            [Graph([_handle(), Call("READ_VARIABLE", ["h"], ["y"])], {"x": _X}, {}, {"h": "object", "y": "float32"})],
            "the variable has no value",
        ),
        ([Graph([_handle(), Call("RELU", ["h"], ["y"])], {}, {}, {"h": "object", "y": "float32"})], "is a variable"),
        ([Graph([_if(1, 9)], {"x": _X}, {"flag": np.array([False])}, {"y": "float32"}), _HALF], "graph 9: there is no"),
        ([Graph([Call("WHILE", ["x"], ["y"])], {"x": _X}, {}, {"y": "float32"})], "graph -1: there is no such graph"),
        ([Graph([_if(0, 0)], {"flag": np.array([True]), "x": _X}, {}, {"y": "float32"})], "graph 0: it runs itself"),
        (
            [
                Graph([_loop(1, 1, ["x"], ["y"])], {"x": _X}, {}, {"y": "float32"}),
                Graph([_loop(1, 1, ["x"], ["y"])], {"x": _X}, {}, {"y": "float32"}),
            ],
            "graph 1: it runs itself",
        ),
    ],
)
def test_what_graphs_cannot_be(graphs: list[Graph], message: str) -> None:
    with pytest.raises(InvalidModel, match=message):
        from_tflite(write_graphs(*graphs))
