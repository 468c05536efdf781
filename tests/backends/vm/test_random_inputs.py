"""Random arguments of graph functions: ranges by dtype, the same for the same seed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.runtime.errors import UndecidedShape
from tvmscript.backends.vm.random_inputs import random_arguments

SOURCE = """
@R.function
def main(a: R.Tensor((3, 40), "float32"), b: R.Tensor((200,), "bool"), c: R.Tensor(("n", 7), "int8"),
         d: R.Tuple(R.Tensor((5,), "float16"), R.Shape(["n"])), e: R.Prim("int64"), f: R.Prim(value="n")):
    return a
"""


def drawn(seed: int, sizes: dict[str, int] | None = None, integers: int = 8) -> Any:
    return random_arguments(tvmscript.from_source(SOURCE), seed, sizes, integers)


def test_values_are_drawn_by_type() -> None:
    a, b, c, d, e, f = drawn(3, {"n": 40})
    floats = a.numpy()
    assert (floats.shape, floats.dtype) == ((3, 40), "float32")
    assert -1 <= floats.min() < -0.9 < 0.9 < floats.max() < 1
    assert (b.numpy().dtype, {*b.numpy().tolist()}) == ("bool", {False, True})
    assert (c.numpy().shape, {*c.numpy().ravel().tolist()}) == ((40, 7), {*range(8)})
    assert (d[0].numpy().dtype, d[1]) == ("float16", (40,))
    assert 0 <= e < 8
    assert f == 40


def test_seeds_and_sizes() -> None:
    again, other = drawn(1), drawn(2)
    assert np.array_equal(drawn(1)[0].numpy(), again[0].numpy())
    assert not np.array_equal(other[0].numpy(), again[0].numpy())
    assert again[2].shape == (16, 7)
    assert {*drawn(1, integers=2)[2].numpy().ravel().tolist()} == {0, 1}


def test_shapes_that_are_not_known() -> None:
    func: Any = tvmscript.from_source('@R.function\ndef main(a: R.Tensor("float32", ndim=2)):\n    return a\n')
    with pytest.raises(UndecidedShape):
        random_arguments(func)
