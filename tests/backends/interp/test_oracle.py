"""Real TVM computes the same, and each stage of its lowering means the same to the interpreter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.interp.programs import PROGRAMS
from tvmscript.backends import interp
from tvmscript.backends.runtime.random_inputs import random_inputs


def inputs(program: Any) -> list[Any]:
    return [each.value for each in random_inputs(program, seed=1)]


def result(program: Any) -> list[Any]:
    """The arguments after a call."""
    args = inputs(tvmscript.from_source(program))
    interp.build(tvmscript.from_source(program))(*args)
    return args


def same(left: list[Any], right: list[Any]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(left, right, strict=True))


@pytest.mark.oracle
@pytest.mark.parametrize("name", PROGRAMS)
def test_results(name: str, oracle: Any, tmp_path: Path) -> None:
    out = tmp_path / "r.npz"
    oracle.run(PROGRAMS[name], str(out), seed=1)
    theirs = np.load(out)
    ours = [value for value in result(PROGRAMS[name]) if isinstance(value, np.ndarray)]
    for number, value in enumerate(ours):
        wanted = theirs[f"out_{number}"]
        if value.dtype.kind == "f":
            assert np.allclose(value, wanted, rtol=1e-6, atol=1e-6)
        else:
            assert np.array_equal(value, wanted)


@pytest.mark.oracle
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_stage_of_lowering(name: str, oracle: Any) -> None:
    """From blocks to flat vectorized loops, until the function is packed for TVM's runtime: bit by bit the same."""
    wanted = result(PROGRAMS[name])
    checked = 0
    for step in oracle.lower(PROGRAMS[name]):
        if "MakePackedAPI" in step["name"] or "SplitHostDevice" in step["name"]:
            break
        if step["changed"]:
            stage = tvmscript.from_source(step["text"])
            args = inputs(tvmscript.from_source(PROGRAMS[name]))
            interp.build(stage)(*args)
            assert same(args, wanted), step["name"]
            checked += 1
    assert checked >= 8


@pytest.mark.parametrize("name", PROGRAMS)
def test_our_own_lowering(name: str) -> None:
    args = inputs(tvmscript.from_source(PROGRAMS[name]))
    interp.build(tvmscript.lower(tvmscript.from_source(PROGRAMS[name]), "llvm"))(*args)
    assert same(args, result(PROGRAMS[name]))
