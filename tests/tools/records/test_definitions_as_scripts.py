"""Definitions become scripts with what their family needs; those of a family are chosen by what they execute."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.records.choosing import cover
from tools.records.definitions_as_scripts import definition_scripts
from tvmscript.fuzz.records.scripts import outcome_of

TEXT = '''\
"""Documented."""

from itertools import product

UNUSED: int = 3
SIZES = (2, 3)


def _sizes(rank):
    names = SIZES
    return product(names, repeat=rank)


def names():
    A = te.placeholder((3,), name="A")
    yield "other", [A, te.compute((3,), lambda i: A[i] + 1.0, name="B")]


def shapes():
    for rank in (1, 2):
        for shape in _sizes(rank):
            A = te.placeholder(shape, name="A")
            yield str(shape), [A, te.compute(shape, lambda *i: A(*i) + 1.0, name="B")]


def calls():
    yield "relu", "x:float32[n,4]", topi.nn.relu, lambda x: np.maximum(x, 0)
    yield "sort", "x:float32[n]", topi.argsort, None, {"scheduled": True}
'''


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring came with Python 3.12")
def test_families_are_written_with_what_they_need(tmp_path: Path) -> None:
    (tmp_path / "definitions.py").write_text(TEXT)
    _, shapes, calls = definition_scripts(tmp_path, "te")
    for word in ("from itertools import product", "SIZES = (2, 3)", "def _sizes(rank)", "'shapes.(2,)'"):
        assert word in shapes
    for word in ("UNUSED", "Documented", "def names()"):
        assert word not in shapes
    assert "'calls.relu'" in calls
    assert [each.split()[0] for each in outcome_of(shapes)][:2] == ["operations", "function"]


def test_few_cover_the_rest() -> None:
    reached = {"a": frozenset({1}), "b": frozenset({1, 2}), "c": frozenset({1, 2}), "d": frozenset({3})}
    assert cover(reached, 1) == ["b", "d"]
    assert cover(reached) == ["b", "c", "d"]
