"""Programs for the features of passes on loops and expressions: TVM's pass gives the same.

`tests/cases/beside_tvm/<pass>.txt` has them, each with the options of the pass in front.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tests.ir.transform.casefile import CASES
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.registry import get_pass

FILES = sorted((CASES.parent / "beside_tvm").glob("*.txt"))


def programs(path: Path) -> list[tuple[dict[str, Any], str]]:
    """Options and text of each program of a file."""
    parts = [part.partition("\n") for part in path.read_text().split("\n----\n")]
    return [(json.loads(options), text) for options, _, text in parts]


def test_there_are_programs() -> None:
    assert sum(len(programs(path)) for path in FILES) > 300


@pytest.mark.oracle
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_same_as_tvm(path: Path, oracle: Any) -> None:
    name = f"tir.{path.stem}"
    different: list[str] = []
    for options, text in programs(path):
        theirs = oracle.apply(name, text, config={name: options} if options else None, check=False)
        made = tvmscript.from_source(theirs, check_well_formed=False)
        expected = next(iter(made.functions.values())) if isinstance(made, IRModule) else made
        ours = get_pass(name, **options)(tvmscript.from_source(text, check_well_formed=False))
        if not structural_equal(expected, ours, map_free_vars=True):
            different.append(f"{text}\n{theirs}\n{ours.script()}")
    assert not different, "\n".join(different)
