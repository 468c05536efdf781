"""Programs as JSON are the same programs when they are read back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.json_mutations import VALUES
from tvmscript import from_source, ir, tir
from tvmscript.ir.core import TVMScriptError
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.node_json import InvalidJson, load_json, save_json

_CASES = Path(__file__).parents[1] / "cases"


@pytest.mark.parametrize("room", ["printer", "relax"])
def test_programs_read_back(room: str) -> None:
    count = 0
    for path in sorted((_CASES / room).glob("*.py")):
        try:
            program = from_source(path.read_text(encoding="utf-8"))
        except TVMScriptError:
            continue  # a case about errors
        assert_structural_equal(ir.load_json(ir.save_json(program)), program)
        count += 1
    assert count > 10


def test_parts_that_occur_twice_stay_one_object() -> None:
    x = tir.Var("x", "int32")
    read = load_json(save_json([x + 1, x * 2.5, "text", {"key": x}, float("nan"), None]))
    assert read[0].a is read[1].a.value
    assert read[0].a is read[3]["key"]
    assert read[2] == "text"
    assert read[4] != read[4]
    assert read[5] is None


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"root": 0}', '{"nodes": [["Nope", {}]], "root": 0}', '{"nodes": [["Add", {"a": 1}]], "root": 0}'],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(InvalidJson):
        load_json(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"name": "A"', '"name": 7'),
        ('"name": "A"', '"name": null'),
        ('"root": {', '"root": {"n": -10000000}, "old": {'),
        ('"root": {', '"root": {"x": 1}, "old": {'),
        ('"dtype": {"dtype": "float32"}', '"dtype": 32'),
        ('"buffer": {"n"', '"buffer": {"t": []}, "other": {"n"'),
    ],
)
def test_changed_texts_are_refused(old: str, new: str) -> None:
    program = from_source('@T.prim_func\ndef f(A: T.Buffer((8,), "float32")):\n    A[0] = A[1]')
    text = save_json(program)
    assert old in text
    with pytest.raises(TVMScriptError):
        load_json(text.replace(old, new))


GRAPH = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            gv = R.add(x, R.const([1, 2, 3, 4], "float32"))
            R.output(gv)
        return gv
"""


def test_damaged_graphs_are_refused() -> None:
    """Every change of one part either loads as a program that prints, or is refused with an error of the package."""
    text = json.loads(save_json(from_source(GRAPH)))
    refused = 0
    for place, (kind, fields) in enumerate(text["nodes"]):
        for field, old in fields.items():
            for new in (*VALUES, *({"n": number} for number in range(0, place, 3))):
                nodes = [*text["nodes"][:place], [kind, {**fields, field: new}], *text["nodes"][place + 1 :]]
                if new == old:
                    continue
                try:
                    program = load_json(json.dumps({**text, "nodes": nodes}))
                    assert isinstance(program, ir.IRModule)
                    program.script()
                except TVMScriptError:
                    refused += 1
    assert refused > 1000


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"data": ["float32", [4]', '"data": ["float32", [5]'),
        ('"data": ["float32", [4]', '"data": ["float32", ["4"]'),
        ('"data": {"data"', '"data": true, "old": {"data"'),
        ('{"d": [[{"n"', '{"d": [["main", 1], [{"n"'),
    ],
)
def test_changed_graphs_are_refused(old: str, new: str) -> None:
    text = save_json(from_source(GRAPH))
    assert old in text
    with pytest.raises(InvalidJson):
        load_json(text.replace(old, new))


def test_values_without_json() -> None:
    with pytest.raises(InvalidJson, match="there is no JSON for"):
        save_json(object())
