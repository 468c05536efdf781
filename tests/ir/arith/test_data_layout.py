"""Named layouts convert indices as transposed arrays have their elements, in the form that TVM 0.17 gives."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from tvmscript import tir
from tvmscript.fuzz.arith.evaluate import evaluate
from tvmscript.ir.arith.errors import InvalidLayout
from tvmscript.ir.core import structural_equal
from tvmscript.ir.relax.op.layout import array_from_canonical
from tvmscript.ir.tir import Expr, IntImm


def values(exprs: list[Expr]) -> tuple[int, ...]:
    return tuple([evaluate(expr, {}) for expr in exprs])


def test_axes_and_factors() -> None:
    layout = tir.layout("NCHW16c4h2c")
    assert (str(layout), layout.name, len(layout), list(layout)) == (
        "Layout(NCHW16c4h2c)", "NCHW16c4h2c", 7, ["N", "C", "H", "W", "c", "h", "c"],
    )  # fmt: skip
    assert [layout.index_of(axis) for axis in "NCHWchwx"] == [0, 1, 2, 3, 4, 5, -1, -1]
    assert [layout.factor_of(axis) for axis in "NCHWchwx"] == [-1, 32, 4, -1, 32, 4, -1, -1]
    assert [axis in layout for axis in ("C", "c", "D", "16", "NC")] == [True, True, False, False, False]
    assert [str(axis.dom) for axis in layout.axes[:5:4]] == ["I.Range(0, N_shape)", "I.Range(0, 16)"]
    assert tir.layout("NCHW", "int64").axes[0].var.dtype == "int64"
    assert structural_equal(tir.layout("NCHW"), tir.layout("NCHW"))
    assert not structural_equal(tir.layout("NCHW"), tir.layout("NHWC"))


@pytest.mark.parametrize(
    "name", ["", "NCHW16", "NC16CHW", "ncHW", "NCHWc", "NNCHW", "NC0c", "NCHW-1c", "N CHW", "NH4c"]
)
def test_texts_that_are_no_layouts(name: str) -> None:
    with pytest.raises(InvalidLayout, match=r"TS4013.*" + repr(name)):
        tir.layout(name)


#: source, target -> indices, indices back, shape, shape back: TVM's forms
CONVERSIONS = [
    ("NCHW", "NCHW16c", "v0, v1 // 16, v2, v3, v1 % 16", "w0, w1 * 16 + w4, w2, w3",
     "v0, (v1 + 15) // 16, v2, v3, 16", "w0, w1 * 16, w2, w3"),
    ("NCHW", "NHWC", "v0, v2, v3, v1", "w0, w3, w1, w2", "v0, v2, v3, v1", "w0, w3, w1, w2"),
    ("NCHW16c", "NCHW8c", "v0, v1 * 2 + v4 // 8, v2, v3, v4 % 8", "w0, w1 // 2, w2, w3, w1 % 2 * 8 + w4",
     "v0, v1 * 2, v2, v3, 8", "w0, (w1 * 8 + 15) // 16, w2, w3, 16"),
    ("OIHW", "OIHW4i8o4i", "v0 // 8, v1 // 16, v2, v3, v1 % 16 // 4, v0 % 8, v1 % 4",
     "w0 * 8 + w5, w1 * 16 + w4 * 4 + w6, w2, w3", "(v0 + 7) // 8, (v1 + 15) // 16, v2, v3, 4, 8, 4",
     "w0 * 8, w1 * 16, w2, w3"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "target", "index", "back", "shape", "shape_back"), CONVERSIONS)
def test_texts_of_conversions(source: str, target: str, index: str, back: str, shape: str, shape_back: str) -> None:
    conversion = tir.bijective_layout(source, target)
    forwards = [tir.Var(f"v{place}", "int32") for place in range(len(conversion.src_layout))]
    backwards = [tir.Var(f"w{place}", "int32") for place in range(len(conversion.dst_layout))]
    assert str(conversion) == f"BijectiveLayout({source}->{target})"
    assert ", ".join(map(str, conversion.forward_index(forwards))) == index
    assert ", ".join(map(str, conversion.backward_index(backwards))) == back
    assert ", ".join(map(str, conversion.forward_shape(forwards))) == shape
    assert ", ".join(map(str, conversion.backward_shape(backwards))) == shape_back


@pytest.mark.parametrize("seed", range(20))
def test_elements_are_where_the_index_says(seed: int) -> None:
    rng = random.Random(seed)
    names: list[str] = []
    for _ in range(2):
        inner = [f"{rng.choice((2, 3))}{rng.choice('nch')}" for _ in range(rng.randint(0, 3))]
        axes = [*"NCH", *inner]
        rng.shuffle(axes)
        names.append("".join(axes))
    shape = [rng.randint(1, 4) for _ in range(3)]
    plain = np.arange(np.prod(shape)).reshape(shape)
    conversion = tir.bijective_layout(tir.layout(names[0]), names[1])
    for name in names:
        # inner axes count in their order, also where they stand before their axis
        one = tir.bijective_layout("NCH", name)
        packed = array_from_canonical(np, plain, "NCH", name)
        assert values(one.forward_shape(shape)) == packed.shape
        for point in itertools.product(*map(range, shape)):
            index = one.forward_index(point)
            assert packed[values(index)] == plain[point]
            assert values(one.backward_index(index)) == point
    first, second = (tir.bijective_layout("NCH", name) for name in names)
    for point in itertools.product(*map(range, shape)):
        assert values(conversion.forward_index(first.forward_index(point))) == values(second.forward_index(point))


def test_conversions_that_do_not_fit() -> None:
    conversion = tir.bijective_layout("NCHW", "NCHW16c")
    with pytest.raises(InvalidLayout, match="the axis c has 16 elements, not 8"):
        conversion.backward_shape([1, 2, 7, 7, 8])
    with pytest.raises(InvalidLayout, match="it has 4 dimensions, but got 2 values"):
        conversion.forward_index([1, IntImm("int32", 2)])
    with pytest.raises(InvalidLayout, match="NCHW differs in the axes C, I, N, O"):
        tir.bijective_layout("NCHW", "OIHW")
