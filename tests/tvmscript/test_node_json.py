"""Programs as JSON are the same programs when they are read back."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import tvmscript
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
        ('["global_symbol", "f"]', '["global_symbol", {"d": []}]'),
        ('["global_symbol", "f"]', '["global_symbol", 3]'),
        ('["global_symbol", "f"]', '["a", {"d": [[1, 2], ["b", 3]]}]'),
        ('["global_symbol", "f"]', '[{"t": []}, 3]'),
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


PROGRAM = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), p: T.handle, n: T.int32):
    B = T.match_buffer(p, (n,))
    T.func_attr({"tir.noalias": T.bool(True), "layout": {"a": [1, "b"]}})
    for i in T.serial(16, annotations={"unroll": 4}):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            T.where(i < n)
            B[vi] = T.exp(A[vi]) + T.if_then_else(vi > 2, A[vi - 1], T.float32(0))
    x: T.int32 = T.call_extern("int32", "f", A.data)
    T.evaluate(x)
"""


def changed(value: Any, pick: random.Random) -> Any:
    """Return a document with one part removed, replaced by another kind of value, or copied from elsewhere."""
    copied = json.loads(json.dumps(value))
    places = [*_places(copied)]
    holder, key = pick.choice(places)
    other, name = pick.choice(places)
    kind = pick.randrange(4)
    if kind == 0:
        del holder[key]
    elif kind == 1:
        holder[key] = json.loads(json.dumps(other[name]))
    else:
        holder[key] = pick.choice([None, -1, 2**64, "x", "int32", [], {}, {"n": 0}, {"t": []}, {"d": [[1, 2]]},
                                   {"dtype": "int8"}, {"op": "tir.exp"}, {"f": "0x1p0"}])  # fmt: skip
    return copied


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from _places(value[key])


def _used(program: Any) -> None:
    """Print, compare, hash, lower and build a program; errors of the package are fine."""
    for use in (
        lambda: program.script(),
        lambda: program.script(dialect="0.27"),
        lambda: tvmscript.ir.structural_hash(program),
        lambda: tvmscript.lower(program),
        lambda: tvmscript.build(program, target="interp"),
    ):
        with suppress(TVMScriptError):
            use()


@pytest.mark.parametrize("source", [PROGRAM, GRAPH], ids=["functions", "graph"])
def test_what_damaged_texts_say_can_be_used(source: str) -> None:
    pick, document, loaded = random.Random(1), json.loads(save_json(from_source(source))), 0
    for _ in range(1_000):
        try:
            program = load_json(json.dumps(changed(document, pick)))
        except TVMScriptError:
            continue
        if isinstance(program, (tvmscript.ir.IRModule, tvmscript.tir.PrimFunc)):
            loaded += 1
            _used(program)
    assert loaded > 40
