"""Fuzz operators of `topi` that no graph reaches: sorts, boxes, images, sparse matrices, Winograd's convolutions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tvmscript import driver
from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.fuzz.observing import observe
from tvmscript.fuzz.programs.stages import Pick
from tvmscript.fuzz.te import topi_windows
from tvmscript.ir.core import IRModule
from tvmscript.ir.te.construct import placeholder
from tvmscript.ir.te.prim_func import create_prim_func
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.topi.image.resize import resize2d
from tvmscript.ir.topi.nn.sparse import sparse_add, sparse_dense, sparse_transpose
from tvmscript.ir.topi.nn.winograd import conv2d_winograd_nchw, conv2d_winograd_nhwc
from tvmscript.ir.topi.sort import argsort, searchsorted, sort, topk, unique
from tvmscript.ir.topi.vision.nms import non_max_suppression
from tvmscript.testing.operator_references.convolution import conv2d_nchw_python
from tvmscript.testing.operator_references.sampling import resize2d_python

Array = npt.NDArray[Any]
#: inputs, the operator, what it computes
Drawn = tuple[list[Array], Callable[..., Any], list[Array]]


@dataclass(frozen=True)
class Operators:
    """A family of operators, the choices that a call of it is drawn from, and the seed of its inputs."""

    family: str
    numbers: tuple[int, ...]
    seed: int = 0


def _sort(pick: Pick, rng: np.random.Generator) -> Drawn:
    """Sort rows that have equal elements; the order of these stays."""
    shape = [(1, 2, 3, 5, 8, 17)[pick(6)] for _ in range(1 + pick(2))]
    data = rng.integers(-3, 4, shape).astype("float32")
    axis, is_ascend = pick(len(shape)), pick(2) == 1
    order = np.argsort(data if is_ascend else -data, axis, kind="stable")
    values = np.take_along_axis(data, order, axis)
    kind, count = pick(3), 1 + pick(shape[axis])
    axis -= len(shape) * pick(2)
    if kind == 0:
        return [data], lambda x: sort(x, axis, is_ascend), [values]
    if kind == 1:
        return [data], lambda x: argsort(x, None, axis, is_ascend, "int32"), [order.astype("int32")]
    best = [np.take(each, range(count), axis) for each in (values, order)]
    return [data], lambda x: topk(x, count, axis, "both", is_ascend, "int64"), [best[0], best[1].astype("int64")]


def _search(pick: Pick, rng: np.random.Generator) -> Drawn:
    """Search places in sorted rows, and unlike elements."""
    if pick(2):
        data = rng.integers(0, 5, 1 + pick(9)).astype("int32")
        values, firsts, inverse, counts = np.unique(data, True, True, True)
        count = len(values)
        rest = (0, len(data) - count)
        expected = [
            np.pad(values, rest), np.pad(firsts, rest, constant_values=len(data)), inverse.reshape(-1),
            np.array([count]), np.pad(counts, rest),
        ]  # fmt: skip
        return [data], lambda x: unique(x, True, True), [each.astype("int32") for each in expected]
    rows = np.sort(rng.integers(-4, 5, (1 + pick(3), 1 + pick(9))).astype("float32"), -1)
    values = rng.integers(-5, 6, (len(rows), 1 + pick(4))).astype("float32")
    is_right = pick(2) == 1
    places = [
        np.searchsorted(row, each, "right" if is_right else "left") for row, each in zip(rows, values, strict=True)
    ]
    return [rows, values], lambda x, y: searchsorted(x, y, is_right, "int32"), [np.stack(places).astype("int32")]


def _boxes(pick: Pick, rng: np.random.Generator) -> Drawn:
    """Suppress boxes by better ones that overlap them."""
    batch, count, limit, best = 1 + pick(2), 1 + pick(7), pick(4) - 1, pick(5) - 1
    boxes = np.empty((batch, count, 6), "float32")
    boxes[..., 0] = rng.integers(0, 2, (batch, count))
    boxes[..., 1] = np.stack([rng.permutation(count) + 1 for _ in range(batch)])
    boxes[..., 2:4] = rng.integers(0, 4, (batch, count, 2))
    boxes[..., 4:] = boxes[..., 2:4] + rng.integers(1, 5, (batch, count, 2))
    valid = rng.integers(0, count + 1, batch).astype("int32")
    numbers = np.stack([rng.permutation(count) for _ in range(batch)]).astype("int32")
    threshold, is_forced = (0.25, 0.5, 0.75)[pick(3)], pick(2) == 1
    expected, totals = np.full((batch, count), -1, "int32"), np.zeros((batch, 1), "int32")
    for row in range(batch):
        order = sorted(range(valid[row]), key=lambda place: -boxes[row, place, 1])
        kept: list[int] = []
        for place in order[: best if best > 0 else None]:
            rivals = [other for other in kept if is_forced or boxes[row, other, 0] == boxes[row, place, 0]]
            is_best = all(_overlap(boxes[row, place, 2:], boxes[row, other, 2:]) < threshold for other in rivals)
            if is_best and not 0 < limit <= len(kept):
                kept.append(place)
        expected[row, : len(kept)], totals[row] = numbers[row, kept], len(kept)

    def suppress(data: Tensor, counts: Tensor, indices: Tensor) -> Any:
        return non_max_suppression(data, counts, indices, limit, threshold, is_forced, best)

    return [boxes, valid, numbers], suppress, [expected, totals]


def _overlap(a: Array, b: Array) -> float:
    """Return the intersection of two boxes by their union."""
    sides = np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])
    common = float(np.prod(np.maximum(sides, 0)))
    return common / (float(np.prod(a[2:] - a[:2])) + float(np.prod(b[2:] - b[:2])) - common)


def _image(pick: Pick, rng: np.random.Generator) -> Drawn:
    """Resize an image by a whole factor."""
    method = ("nearest_neighbor", "linear", "cubic")[pick(3)]
    mode = ("half_pixel", "align_corners", "asymmetric")[pick(3)]
    layout = ("NCHW", "NHWC")[pick(2)]
    shape = [1 + pick(2), 1 + pick(2), 2 + pick(4), 2 + pick(4)]
    scales = [1 + pick(3), 1 + pick(3)]
    size = [extent * scale for extent, scale in zip(shape[2:], scales, strict=True)]
    image = rng.integers(-8, 9, shape).astype("float32")
    expected = resize2d_python(image, scales, "NCHW", method, mode)
    if layout == "NHWC":
        image, expected = (np.ascontiguousarray(each.transpose(0, 2, 3, 1)) for each in (image, expected))
    return [image], lambda x: resize2d(x, None, size, layout, method, mode), [expected]


def _sparse(pick: Pick, rng: np.random.Generator) -> Drawn:
    """Multiply, add and transpose matrices in CSR; rows may be empty."""
    rows, columns, count = 1 + pick(5), 1 + pick(5), 1 + pick(4)
    kind = pick(4)
    if kind == 3:
        columns = rows
    whole = (rng.integers(1, 5, (rows, columns)) * rng.integers(0, 2, (rows, columns))).astype("float32")
    whole[0, 0] = 7  # one element at least
    places = [np.flatnonzero(row).astype("int32") for row in whole]
    elements = [
        np.concatenate([row[place] for row, place in zip(whole, places, strict=True)]),
        np.concatenate(places),
        np.cumsum([0, *map(len, places)]).astype("int32"),
    ]
    other = rng.integers(-4, 5, (count, columns)).astype("float32")
    if kind < 2:
        product = other @ whole.T
        expected = product.T if kind else product
        return [other, *elements], lambda x, *csr: sparse_dense(x, csr[0], csr[1], csr[2], kind == 1), [expected]
    if kind == 2:
        other = rng.integers(-4, 5, (rows, columns)).astype("float32")
        return [other, *elements], sparse_add, [other + whole]
    turned = [np.flatnonzero(column).astype("int32") for column in whole.T]
    expected_elements = [
        np.concatenate([column[place] for column, place in zip(whole.T, turned, strict=True)]),
        np.concatenate(turned),
        np.cumsum([0, *map(len, turned)]).astype("int32"),
    ]
    return elements, sparse_transpose, expected_elements


def _winograd(pick: Pick, rng: np.random.Generator) -> Drawn:
    padding, is_nchw = pick(2), pick(2) == 1
    image = rng.integers(-3, 4, (1 + pick(2), 1 + pick(2), 3 + pick(5), 3 + pick(5))).astype("float64")
    weight = rng.integers(-3, 4, (1 + pick(3), image.shape[1], 3, 3)).astype("float64")
    expected = conv2d_nchw_python(image, weight, 1, padding)
    if is_nchw:
        return (
            [image, weight],
            lambda x, w: conv2d_winograd_nchw(x, w, 1, padding, 1, "float64"),
            [expected],
        )
    image, expected = (np.ascontiguousarray(each.transpose(0, 2, 3, 1)) for each in (image, expected))
    weight = np.ascontiguousarray(weight.transpose(2, 3, 1, 0))
    return [image, weight], lambda x, w: conv2d_winograd_nhwc(x, w, 1, padding, 1, "float64"), [expected]


FAMILIES: Final[dict[str, Callable[[Pick, np.random.Generator], Drawn]]] = {
    **topi_windows.FAMILIES,
    "sort": _sort, "search": _search, "boxes": _boxes, "image": _image, "sparse": _sparse, "winograd": _winograd,
}  # fmt: skip
#: how far floats may be apart, by the largest of them
_TOLERANCE: Final = 1e-4


def check_operators(example: Operators) -> None:
    """Compare what an operator computes in the interpreter with its reference. Raises `LevelsDisagree`."""
    rest = iter(example.numbers)
    arrays, operator, expected = FAMILIES[example.family](
        lambda count: next(rest, 0) % count, np.random.default_rng(example.seed)
    )
    inputs = [placeholder(each.shape, str(each.dtype), f"x{place}") for place, each in enumerate(arrays)]
    value = operator(*inputs)
    outputs: Sequence[Tensor] = value if isinstance(value, (list, tuple)) else [value]
    module = IRModule.from_expr(create_prim_func([*inputs, *outputs]).with_attr("global_symbol", "main"))
    observe(example.family, module.script)
    results = [np.full(each.shape, 77, each.dtype) for each in expected]
    driver.build(module, "interp")["main"](*[array.copy() for array in arrays], *results)
    for place, (before, after) in enumerate(zip(expected, results, strict=True)):
        limit = _TOLERANCE * max(1.0, float(np.abs(before).max(initial=0))) if before.dtype.kind == "f" else 0
        wrong = ~(np.abs(before.astype("float64") - after) <= limit)
        for index in np.argwhere(wrong)[:1]:
            at = tuple(index)
            raise LevelsDisagree(
                name=f"topi ({example.family})", other="NumPy", buffer=f"output {place}", index=[*map(int, at)],
                before=before[at], after=after[at],
            )  # fmt: skip
