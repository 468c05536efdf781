"""Diffs read from JSON: a damaged one is refused, or describes and makes another program; nothing else is raised."""

from __future__ import annotations

import json

import pytest

import tvmscript
from tests.json_mutations import DEEP, damaged
from tvmscript.differ.errors import DoesNotFit, InvalidDiff
from tvmscript.ir.core.node import Node
from tvmscript.printer.errors import NoText

BEFORE = """
@T.prim_func
def main(A: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.block("C"):
            vi = T.axis.spatial(8, i)
            A[vi] = A[vi] + T.float32(0.5)
"""
#: what changes -> the other text
AFTER = {
    "value": BEFORE.replace("0.5", "0.75"),
    "name": BEFORE.replace('"C"', '"D"').replace("vi", "vj"),
    "statement": BEFORE + "    for j in T.vectorized(4):\n        A[j] = T.float32(0)\n",
    "attribute": BEFORE.replace("    for i", '    T.func_attr({"k": [1, {"a": None}]})\n    for i'),
}


@pytest.mark.parametrize("name", AFTER)
def test_damaged_diffs(name: str) -> None:
    before = tvmscript.from_source(BEFORE)
    refused = 0
    values = list(damaged(json.loads(tvmscript.diff(before, AFTER[name]).json())))
    for value in values:
        try:
            diff = tvmscript.Diff.from_json(json.dumps(value))
            program = diff.apply(before)
            assert isinstance(program, Node)
            program.script()
        except (DoesNotFit, InvalidDiff, NoText):
            refused += 1
            continue
        assert isinstance(diff.text() + diff.html() + diff.summary() + diff.json(), str)
    assert 1_000 < refused < len(values)


@pytest.mark.parametrize("text", [DEEP, '{"a":' * 100_000, '{"format": "tvmscript-diff", "version": 1e999}'])
def test_texts_that_are_no_diff(text: str) -> None:
    with pytest.raises(InvalidDiff):
        tvmscript.Diff.from_json(text)
