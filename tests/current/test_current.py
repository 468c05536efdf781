"""The dialect 0.27 against real apache-tvm 0.27: it reads what is printed for it, and computes the same with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.current.client import CurrentTVM
from tvmscript.ir.core.equality.equal import assert_structural_equal, structural_equal

CASES = sorted((Path(__file__).parents[1] / "cases" / "current").glob("*.py"))
#: 0.27 prints these two and does not read them
TILE_LEVEL = sorted(
    path
    for path in (Path(__file__).parents[1] / "cases" / "tile_level").glob("*.py")
    if path.stem not in ("unary_reduce", "gemm_async")
)
SIZES = {"n": 3, "m": 5, "n * m + 2": 17}


def function_of(program: Any) -> Any:
    return program["main"] if isinstance(program, tvmscript.IRModule) else program


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_it_prints_the_same_text(path: Path, current: CurrentTVM) -> None:
    text = tvmscript.from_source(path.read_text()).script(dialect="0.27", comments=False)
    assert current.script(text).strip() == text.strip()


@pytest.mark.parametrize("path", TILE_LEVEL, ids=lambda path: path.stem)
def test_it_prints_the_same_text_at_the_tile_level(path: Path, current: CurrentTVM) -> None:
    text = tvmscript.from_source(path.read_text()).script(dialect="0.27", comments=False)
    assert current.script(text).strip() == text.strip()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_it_computes_the_same(path: Path, current: CurrentTVM) -> None:
    program = tvmscript.from_source(path.read_text())
    func = function_of(program)
    random = np.random.default_rng(7)
    inputs: list[Any] = []
    dtypes: list[str] = []
    for param in func.params:
        buffer = func.buffer_map.get(param)
        if buffer is None:
            inputs.append(11)
            dtypes.append(str(param.dtype))
            continue
        shape = [_extent(item) for item in buffer.shape]
        inputs.append(_random(random, shape, str(buffer.dtype)))
        dtypes.append({"e4m3_float8": "float8_e4m3fn"}.get(buffer.dtype, str(buffer.dtype)))
    theirs = current.run(program.script(dialect="0.27"), inputs, dtypes)
    ours = [item.copy() if isinstance(item, np.ndarray) else item for item in inputs]
    tvmscript.build(program, "llvm")["main"](*ours)
    for mine, other in zip([item for item in ours if isinstance(item, np.ndarray)], theirs, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-6)


def _extent(extent: Any) -> int:
    """An extent of the cases; those that are no constants are in a table."""
    return int(extent.value) if hasattr(extent, "value") else SIZES[extent.script().split("\n")[-1]]


def _random(random: np.random.Generator, shape: list[int], dtype: str) -> Any:
    if dtype.startswith("e4m3"):
        return random.integers(0, 100, shape).astype("uint8")
    if "int" in dtype:
        return random.integers(0 if dtype[0] == "u" else -100, 100, shape).astype(dtype)
    return random.standard_normal(shape).astype(dtype)


def test_its_own_texts(current: CurrentTVM) -> None:
    """Operators, schedules and stages of lowering: read, printed as they were, brought back; 0.17's text too."""
    texts = current.ask(op="corpus", names=["softmax"])["texts"]
    assert len(texts) > 100
    same = 0
    for name, text in texts.items():
        program = tvmscript.from_source(text)
        printed = program.script(dialect="0.27")
        assert structural_equal(program, tvmscript.from_source(printed), map_free_vars=True), name
        assert structural_equal(program, tvmscript.from_source(program.script()), map_free_vars=True), name
        same += printed.strip() == text.strip()
    assert same > 0.85 * len(texts)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_we_read_it_back(path: Path) -> None:
    program = tvmscript.from_source(path.read_text())
    text = program.script(dialect="0.27")
    again = tvmscript.from_source(text)
    assert_structural_equal(program, again)
    assert again.script(dialect="0.27") == text
