"""What operators refuse: one case for each kind of reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from tvmscript import te, topi
from tvmscript.ir.topi.errors import InvalidOperand

A: Final = te.placeholder((4, 8), name="A")
IMAGE: Final = te.placeholder((1, 3, 8, 8), name="I")
CASES: Final[dict[str, tuple[Callable[[], Any], str]]] = {
    "axis": (lambda: topi.sum(A, axis=2), "topi.sum: the axis 2 is none of 2 dimensions"),
    "mode": (lambda: topi.take(A, A, mode="near"), "the mode 'near' is none of"),
    "rank": (lambda: topi.gather(A, 0, IMAGE), "topi.gather: the indices have another rank than the data"),
    "sort of rank 0": (lambda: topi.sort(te.placeholder(())), "topi.sort: the tensor has no axis to sort along"),
    "topk": (lambda: topi.topk(A, 9), "topi.topk: there are no 9 elements in rows of 8"),
    "results of topk": (lambda: topi.topk(A, 1, ret_type="all"), "the type 'all' is none of"),
    "unique": (lambda: topi.unique(A), "topi.unique: the tensor has 2 dimensions, not 1"),
    "searchsorted": (lambda: topi.searchsorted(A, IMAGE), "the sequences and the values have different rows"),
    "gradient of pooling": (
        lambda: topi.nn.pool_grad(IMAGE, IMAGE, (2,), (2, 2), (0, 0, 0, 0), "max"),
        "topi.nn.pool_grad: kernel and stride have 2 values each, padding 4",
    ),
    "type of pooling": (
        lambda: topi.nn.pool2d(IMAGE, (2, 2), (2, 2), (1, 1), (0, 0, 0, 0), "mean"),
        "the type 'mean' is neither",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_refusals(case: str) -> None:
    build, message = CASES[case]
    with pytest.raises(InvalidOperand) as caught:
        build()
    assert message in caught.value.text
