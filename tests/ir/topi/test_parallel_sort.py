"""Sorts of long rows for GPUs, on blocks and threads of the interpreter, against those of one thread a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import te, topi
from tvmscript.backends import interp
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.ir.core import IRModule, Target
from tvmscript.ir.schedule.default import gpu
from tvmscript.ir.schedule.default.schedule_rule import ApplyDefaultSchedule
from tvmscript.ir.te.tensor import Extent
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.topi import parallel_sort

TARGET = Target.make("cuda -arch=sm_90a")
Outputs = Callable[[te.Tensor], "te.Tensor | list[te.Tensor]"]
SORTS: dict[str, tuple[tuple[int, ...], str, Outputs]] = {
    "sort": ((2, 27), "float32", lambda a: topi.sort(a, 1)),
    "columns": ((19, 2), "float32", lambda a: topi.sort(a, 0)),
    "descending": ((2, 27), "float32", lambda a: topi.argsort(a, axis=1, is_ascend=False, dtype="int32")),
    "first": ((2, 27), "float32", lambda a: topi.topk(a, 3, 1)),
    "integers": ((40,), "int32", lambda a: topi.argsort(a, axis=0, dtype="int64")),
    "one step": ((9,), "float32", lambda a: topi.argsort(a, axis=0, dtype="int32")),
}


def _program(shape: tuple[Extent, ...], dtype: str, outputs: Outputs) -> PrimFunc:
    given = te.placeholder(shape, dtype, "A")
    results = outputs(given)
    func: Any = te.create_prim_func([given, *(results if isinstance(results, list) else [results])])
    main: PrimFunc = func.with_attr("global_symbol", "main")
    return main


def _arguments(func: PrimFunc) -> list[Any]:
    """Return few different numbers, among them nan and infinity where there are such, and results."""
    arrays: list[Any] = []
    for param in func.params:
        buffer = func.buffer_map[param]
        shape = tuple([int(str(extent)) for extent in buffer.shape])
        arrays.append(np.random.default_rng(0).integers(0, 12, shape).astype(str(buffer.dtype)))
    if arrays[0].dtype.kind == "f":
        arrays[0].reshape(-1)[[3, 5, 7]] = np.nan, np.inf, np.nan
    return arrays


def _check(single: PrimFunc, parallel: PrimFunc, given: list[Any]) -> None:
    """Compare both programs, and look for races in the kernels."""
    expected, actual = ([array.copy() for array in given] for _ in range(2))
    interp.build(single)["main"](*expected)
    with TARGET:
        scheduled = ApplyDefaultSchedule(*[rule() for rule in gpu.RULES])(IRModule({"main": parallel}))
    assert run_sanitized(tvmscript.lower(scheduled, TARGET), "main", actual).errors == ()
    for one, other in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.fixture(autouse=True)
def _short_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rows of nine elements be long ones."""
    monkeypatch.setattr(parallel_sort, "_SHORT_ROW", 8)
    monkeypatch.setattr(parallel_sort, "_RUN", 4)


@pytest.mark.parametrize("name", SORTS)
def test_long_rows(name: str) -> None:
    single = _program(*SORTS[name])
    with TARGET:
        parallel = _program(*SORTS[name])
    assert "T.parallel" in parallel.script()
    _check(single, parallel, _arguments(single))


@pytest.mark.parametrize(("rows", "length"), [(2, 37), (1, 16), (3, 17), (2, 3), (2, 1)])
def test_rows_of_any_length(rows: int, length: int) -> None:
    """A loop merges twice in each iteration; the last one may have nothing to merge."""

    def outputs(a: te.Tensor) -> te.Tensor | list[te.Tensor]:
        return topi.topk(a, a.shape[1], 1)

    with TARGET:
        parallel = _program((te.var("rows"), te.var("length")), "float32", outputs)
    single = _program((rows, length), "float32", outputs)
    given = [array[:rows] for array in _arguments(_program((max(rows, 8), length), "float32", outputs))]
    _check(single, parallel, given)


def test_a_part_of_a_row() -> None:
    """Elements behind the valid ones stay."""

    def program() -> PrimFunc:
        given, counts = te.placeholder((3, 13), "float32", "A"), te.placeholder((3,), "int32", "N")
        result = topi.argsort(given, counts, axis=1, dtype="int32")
        func: Any = te.create_prim_func([given, counts, result])
        main: PrimFunc = func.with_attr("global_symbol", "main")
        return main

    single = program()
    with TARGET:
        parallel = program()
    given = [*_arguments(single)[:1], np.array([0, 6, 13], "int32"), np.zeros((3, 13), "int32")]
    _check(single, parallel, given)


@pytest.mark.parametrize(("target", "length"), [("cuda", 8), ("llvm", 100), (None, 100)])
def test_rows_of_one_thread(target: str | None, length: int) -> None:
    if target is None:
        func = _program((2, length), "float32", lambda a: topi.sort(a, 1))
    else:
        with Target.make(target):
            func = _program((2, length), "float32", lambda a: topi.sort(a, 1))
    assert func.script().count("T.parallel(2)") == 1
    assert "merged_keys" not in func.script().split("T.parallel(2)", maxsplit=1)[0]
