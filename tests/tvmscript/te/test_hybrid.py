"""Hybrid functions: values, schedules, texts, errors. `tests/cases/te/schedules/hybrid.py` has lowered texts."""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821, RET504
# pyright: reportUndefinedVariable=false

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import te
from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError
from tvmscript.ir.te.errors import InvalidSchedule

SCALE = 3


@te.hybrid.script
def statistics(a: Any, k: Any) -> Any:
    sums = output_tensor((a.shape[0],), "float32")
    greatest = output_tensor((a.shape[0],), "float32")
    row = allocate((a.shape[1],), "float32")
    for i in range(a.shape[0]):
        total = 0.0
        best = ninf("float32")
        for j in range(a.shape[1]):
            row[j] = a[i, j] * SCALE + k
        for j in range(a.shape[1]):
            total += row[j]
            if row[j] > best:
                best = row[j]
            elif j == 0 and not i < 2:
                best = max(best, row[j], -100.0)
        sums[i] = total if i % 2 == 0 else -total
        greatest[i] = best
    return greatest, sums


@te.hybrid.script
def nest(a: Any) -> Any:
    b = output_tensor((10, 6), "float32")
    for i in range(10):
        for j in range(1, 7):
            b[i, j - 1] = a[i, j - 1] / 2.0 + float32(i * 6 + j)
    return b


MATRIX = np.random.default_rng(0).random((10, 6), "float32")


def test_arrays() -> None:
    greatest, sums = statistics(MATRIX, 1.5)
    rows = MATRIX * np.float32(SCALE) + np.float32(1.5)
    np.testing.assert_allclose(greatest, rows.max(1), rtol=1e-5)
    np.testing.assert_allclose(sums, rows.sum(1) * np.where(np.arange(10) % 2 == 0, 1, -1), rtol=1e-5)


@pytest.mark.parametrize("target", ["llvm", "interp"])
def test_tensors(target: str) -> None:
    """Outputs have the order of `return`, and feed other operations."""
    A, k = te.placeholder((10, 6), name="A"), te.var("k", "float32")
    greatest, sums = statistics(A, k)
    C = te.compute((10,), lambda i: greatest[i] - sums[i], name="C")
    assert [tensor.name for tensor in (greatest, sums)] == ["statistics.v0", "statistics.v1"]
    assert isinstance(greatest.op, te.HybridOp)
    result = np.zeros(10, "float32")
    tvmscript.build(te.create_schedule(C.op), [A, k, C], target)(MATRIX, 0.5, result)
    first, second = statistics(MATRIX, 0.5)
    np.testing.assert_allclose(result, first - second, rtol=1e-4)


def _split(stage: Any, i: Any, j: Any) -> None:
    outer, inner = stage.split(i, 4)
    stage.parallel(outer)
    stage.unroll(inner)
    stage.vectorize(j)


def _threads(stage: Any, i: Any, j: Any) -> None:
    outer, inner = stage.split(j, 2)
    stage.reorder(outer, i, inner)
    stage.bind(outer, te.thread_axis("blockIdx.x"))
    stage.bind(i, te.thread_axis("threadIdx.x"))


@pytest.mark.parametrize(
    ("change", "target"),
    [
        (_split, "llvm"),
        (_threads, "interp"),
        (lambda stage, i, j: stage.tile(i, j, 3, 4), "llvm"),
        (lambda stage, i, j: stage.split(stage.fuse(i, j), nparts=7), "llvm"),
    ],
)
def test_schedules(change: Any, target: str) -> None:
    A = te.placeholder((10, 6), name="A")
    B = nest(A)
    s = te.create_schedule(B.op)
    change(s[B], *B.op.axis)
    result = np.zeros((10, 6), "float32")
    tvmscript.build(s, [A, B], target)(MATRIX, result)
    expected = MATRIX / 2 + np.arange(1, 61, dtype="float32").reshape(10, 6)
    np.testing.assert_allclose(result, expected, rtol=1e-6)
    np.testing.assert_allclose(nest(MATRIX), expected, rtol=1e-6)


def test_loops_apart() -> None:
    """Loops with statements between them are not fused or exchanged."""

    @te.hybrid.script
    def apart(a: Any) -> Any:
        b = output_tensor((4,), "float32")
        for i in range(4):
            b[i] = 0.0
            for j in range(4):
                b[i] += a[i, j]
        return b

    A = te.placeholder((4, 4), name="A")
    changes: list[Any] = [lambda stage, i, j: stage.fuse(i, j), lambda stage, i, j: stage.reorder(j, i)]
    for change in changes:
        B = apart(A)
        s = te.create_schedule(B.op)
        change(s[B], *B.op.axis)
        with pytest.raises(InvalidSchedule, match="is of loops with other statements between them"):
            tvmscript.lower(s, [A, B])


def test_source(tmp_path: Path) -> None:
    """A schedule as text computes what it does, and is not executed."""
    A = te.placeholder((10, 6), name="A")
    k = te.reduce_axis((0, 6), "k")
    B = te.compute((10,), lambda i: te.sum(te.exp(A[i, k]), axis=k), name="B")
    C = te.compute((10,), lambda i: te.if_then_else(i < 3, B[i], te.max(B[9 - i], 2.0)) * 2.0, name="C")
    s = te.create_schedule(C.op)
    outer, _ = s[B].split(B.op.axis[0], 4)
    s[B].parallel(outer)
    module = te.hybrid.build(s, [A], [C], name="f")
    path = tmp_path / "f.py"
    module.save(str(path))
    path.write_text(path.read_text() + "\nraise ValueError\n")
    loaded = te.hybrid.HybridModule()
    loaded.load(str(path))
    sums = np.exp(MATRIX).sum(1)
    expected = np.where(np.arange(10) < 3, sums, np.maximum(sums[::-1], 2)) * 2
    for each in (module, loaded):
        assert each.name == "f"
        np.testing.assert_allclose(each(MATRIX), expected, rtol=1e-5)
    assert "    for i_outer in parallel(3):" in module.get_source().splitlines()
    D = te.compute((10,), lambda i: te.erf(A[i, 0]), name="D")
    with pytest.raises(InvalidSchedule, match=r"hybrid functions have no T\.erf"):
        te.hybrid.build(te.create_schedule(D.op), [A], [D])
    for act in (lambda: te.hybrid.HybridModule("x = 1\n"), lambda: te.hybrid.HybridModule()(MATRIX)):
        with pytest.raises(TVMScriptError, match="the text of a function"):
            act()


def no_return(a: Any) -> Any:
    b = output_tensor((4,), "float32")
    b[0] = a[0]


def no_output(a: Any) -> Any:
    b = output_tensor((4,), "float32")
    b[0] = a[0]
    return a


def not_all(a: Any) -> Any:
    b = output_tensor((4,), "float32")
    c = output_tensor((4,), "float32")
    b[0] = c[0] = a[0]
    return b


def undefined(a: Any) -> Any:
    b = output_tensor((4,), "float32")
    for i in range(4):
        b[i] = a[i] + unknown
    return b


def loop_variable(a: Any) -> Any:
    b = output_tensor((4,), "float32")
    for i in range(4):
        i = 3
        b[i] = a[i]
    return b


def whole_tensor(a: Any) -> Any:
    b = output_tensor((4,), "float32")
    b = 3.0
    return b


def another(a: Any, c: Any) -> Any:
    b = output_tensor((4,), "float32")
    return b


@pytest.mark.parametrize(
    ("function", "line", "message"),
    [
        (no_return, 1, "it returns nothing"),
        (no_output, 4, "is no output"),
        (not_all, 4, "a = b = c"),
        (undefined, 4, "unknown"),
        (loop_variable, 4, "i"),
        (whole_tensor, 3, "b"),
        (another, 1, "it takes 2 arguments, not 1"),
    ],
)
def test_refused(function: Any, line: int, message: str) -> None:
    """Errors have the line of the function."""
    with pytest.raises(DiagnosticError, match=message) as caught:
        te.hybrid.script(function)(te.placeholder((4,), name="A"))
    assert caught.value.line == function.__code__.co_firstlineno + line - 1


def test_not_of_tensors() -> None:
    A = te.placeholder((10, 6), name="A")
    with pytest.raises(TVMScriptError, match="compute and extern operations"):
        te.create_prim_func([A, nest(A)])
    with pytest.raises(TVMScriptError, match="a Python function"):
        te.hybrid.script(len)
    assert repr(nest) == "<hybrid function nest>"
