"""Reductions over generators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import te
from tvmscript.ir.te.errors import InvalidGenerator, InvalidReduction

SIZES: Any = te.var("n"), te.var("m"), te.var("K")
n, m, K = SIZES
A = te.placeholder((n, K), name="A")
B = te.placeholder((K, m), name="B")

#: a reduction over a generator, and the same with axes
SAME: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
    (
        lambda i, j: te.sum(A[i, k] * B[k, j] for k in range(K)),
        lambda i, j: (lambda k: te.sum(A[i, k] * B[k, j], axis=k))(te.reduce_axis((0, K), "k")),
    ),
    (
        lambda i, j: te.max(A[i, k] for k in range(2, 16)),
        lambda i, j: (lambda k: te.max(A[i, k], axis=k))(te.reduce_axis((2, 16), "k")),
    ),
    (
        lambda i, j: te.sum(A[i, k] * B[k, r] for k in range(K) for r in range(m) if r < k if k > 3),
        lambda i, j: (
            lambda k, r: te.sum(A[i, k] * B[k, r], axis=[k, r], where=te.all(r < k, k > 3))
        )(te.reduce_axis((0, K), "k"), te.reduce_axis((0, m), "r")),
    ),
    (
        lambda i, j: te.sum(te.sum(A[i, k] * B[k, r] for r in range(m)) for k in range(K)),
        lambda i, j: (lambda k, r: te.sum(A[i, k] * B[k, r], axis=[k, r]))(
            te.reduce_axis((0, K), "k"), te.reduce_axis((0, m), "r")
        ),
    ),
    (
        lambda i, j: te.min((A[i, k] for k in range(K) if k != i and k < j), init=1.0),
        lambda i, j: (
            lambda k: te.min(A[i, k], axis=k, where=te.all(k != i, k < j), init=1.0)
        )(te.reduce_axis((0, K), "k")),
    ),
    (
        lambda i, j: te.sum(A[i, k] for k in range(1, K, 2)),
        lambda i, j: (lambda k: te.sum(A[i, 1 + k * 2], axis=k))(te.reduce_axis((0, (K - 1 + 2 - 1) // 2), "k")),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("generator", "axes"), SAME)
def test_same_as_axes(generator: Callable[..., Any], axes: Callable[..., Any]) -> None:
    C, D = te.compute((n, m), generator, name="C"), te.compute((n, m), axes, name="C")
    assert te.create_prim_func([A, B, C]).script() == te.create_prim_func([A, B, D]).script()


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda i: te.sum(A[i, k] for k in range(K) if k < 3 or k > i), "a truth value is used for something else"),
        (lambda i: te.sum((A[i, k] if k < 3 else A[i, 0]) for k in range(K)), "a truth value is used for something"),
        (lambda i: te.sum(A[i, k] for k in range(K) if not k < 3), "no element is left"),
        (lambda i: te.sum(A[i, k] for k in [0, 1]), "go over something else than `range`"),
        (lambda i: te.sum(sum([A[i, r] for r in range(3)]) for _ in range(K)), "elsewhere than in its `for` clauses"),
    ],
)
def test_refused(function: Callable[..., Any], reason: str) -> None:
    with pytest.raises(InvalidGenerator, match=reason) as caught:
        te.compute((n,), function)
    assert caught.value.span is not None
    assert caught.value.span.source.name == __file__


def test_outside_of_a_compute() -> None:
    with pytest.raises(InvalidGenerator, match="not in the function of a te"):
        te.sum(A[0, k] for k in range(3))


def test_other_uses_of_range() -> None:
    """Lists and loops in the function go over integers."""
    C = te.compute((n,), lambda i: sum(A[i, k] for k in range(3)) + [A[i, k] for k in range(2)][1], name="C")
    (value,) = C.op.body
    assert str(value) == "A[i, 0] + A[i, 1] + A[i, 2] + A[i, 1]"


def test_reduction_in_an_expression() -> None:
    with pytest.raises(InvalidReduction, match="a part of an expression"):
        te.compute((n,), lambda i: te.sum(A[i, k] for k in range(K)) + 1)


@pytest.mark.parametrize("target", ["llvm", "interp"])
def test_values(target: str) -> None:
    C = te.compute((n,), lambda i: te.sum(A[i, k] * k for k in range(K) if k % 2 == 0), name="C")
    a, c = np.random.default_rng(0).random((5, 7), "float32"), np.zeros(5, "float32")
    tvmscript.build(te.create_prim_func([A, C]), target)["main"](a, c)
    np.testing.assert_allclose(c, (a * np.arange(7))[:, ::2].sum(1), rtol=1e-5)


@pytest.mark.parametrize(
    "function",
    [
        lambda i, j: (lambda r: te.sum(A[i, k] for k in range(r)))(K - 1),
        lambda i, j: (lambda r, s: s(te.sum(A[i, k] for k in range(r))))(K - 1, lambda r: r),
        lambda i, j: (lambda s: (lambda r: te.sum(A[i, k] for k in range(r)))(s + 1))(K - 2),
    ],
)
def test_ranges_of_functions_inside_of_others(function: Callable[..., Any]) -> None:
    script = te.create_prim_func([A, te.compute((n, m), function, name="C")]).script()
    assert "for i, j, k in T.grid(n, m, K - 1):" in script
