"""Operators that put tensors together and take them apart: concatenate, stack, split, meshgrid, tile, repeat, flip."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import EQ, Expr, const
from tvmscript.ir.topi.common import (
    BROADCAST,
    INJECTIVE,
    Extents,
    as_int,
    as_list,
    define,
    function,
    known_int,
    normalize_axis,
    product,
    simplify,
)
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.shape import reshape


def concatenate(a_tuple: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Return numpy.concatenate."""
    inputs = list(a_tuple)
    place = normalize_axis(axis, inputs[0].ndim, "concatenate")
    total = inputs[0].shape[place]
    for tensor in inputs[1:]:
        if tensor.ndim != inputs[0].ndim:
            raise InvalidOperand(where="concatenate", reason="the tensors have several ranks")
        total = total + tensor.shape[place]

    def value(*i: Expr) -> Expr:
        result: Expr = inputs[0](*i)
        index = i[place]
        for before, tensor in pairwise(inputs):
            index = index - before.shape[place]
            element = tensor(*i[:place], index, *i[place + 1 :])
            result = function("if_then_else")(index >= 0, element, result)
        return result

    shape = inputs[0].shape
    return define([*shape[:place], simplify(total), *shape[place + 1 :]], value, "T_concat")


def stack(a: Tensor | Sequence[Tensor], axis: int) -> Tensor:
    """Return numpy.stack."""
    inputs = [a] if isinstance(a, Tensor) else list(a)
    place = normalize_axis(axis, inputs[0].ndim + 1, "stack")

    def value(*i: Expr) -> Expr:
        rest = (*i[:place], *i[place + 1 :])
        result: Expr = inputs[0](*rest)
        for number, tensor in enumerate(inputs[1:], 1):
            is_here = EQ(i[place], const(number, i[place].dtype))
            result = function("if_then_else")(is_here, tensor(*rest), result)
        return result

    shape = inputs[0].shape
    return define([*shape[:place], len(inputs), *shape[place:]], value, "T_stack")


def split(ary: Tensor, indices_or_sections: Extents, axis: int = 0) -> list[Tensor]:
    """Return numpy.split: equal sections, or parts that begin at indices."""
    place = normalize_axis(axis, ary.ndim, "split")
    extent = ary.shape[place]
    if isinstance(indices_or_sections, Sequence):
        begins, name = [0, *indices_or_sections], "T_split"
        ends = [*indices_or_sections, extent]
    else:
        sections, name = as_int(indices_or_sections, "split"), "T_split_sections"
        size = known_int(extent)
        if sections < 1 or (size is not None and size % sections):
            raise InvalidOperand(where="split", reason=f"{extent} elements are not {sections} equal sections")
        step = simplify(function("indexdiv")(extent + sections - 1, sections))
        begins = [step * number for number in range(sections)]
        ends = [*begins[1:], extent]

    def part(begin: Extent, end: Extent) -> Tensor:
        shape = [*ary.shape[:place], simplify(end - begin), *ary.shape[place + 1 :]]
        return define(shape, lambda *i: ary(*i[:place], i[place] + begin, *i[place + 1 :]), name)

    return [part(begin, end) for begin, end in zip(begins, ends, strict=True)]


def meshgrid(a_tuple: Sequence[Tensor], indexing: str) -> list[Tensor]:
    """Return numpy.meshgrid of vectors, for `indexing` "ij" or "xy"."""
    inputs = list(a_tuple)
    order = list(range(len(inputs)))
    if indexing == "xy" and len(inputs) > 1:
        order[:2] = [1, 0]
    shape = [inputs[number].shape[0] if inputs[number].ndim else 1 for number in order]

    def grid(number: int) -> Tensor:
        source, place = inputs[number], order.index(number)
        return define(shape, lambda *i: source(*([i[place]] if source.ndim else [])), "T_meshgrid")

    return [grid(number) for number in range(len(inputs))]


def tile(a: Tensor, reps: Extents) -> Tensor:
    """Return numpy.tile."""
    times = as_list(reps)
    rank = max(a.ndim, len(times))
    counts = [1] * (rank - len(times)) + times
    shape: list[Extent] = [1] * (rank - a.ndim) + list(a.shape)
    target = [simplify(extent * count) for extent, count in zip(shape, counts, strict=True)]
    if any(known_int(extent) == 0 for extent in target):
        return define(target, lambda *_: const(0, a.dtype), "T_tile", BROADCAST)

    def value(*i: Expr) -> Expr:
        last = i[rank - a.ndim :]
        return a(*[function("indexmod")(index, extent) for index, extent in zip(last, a.shape, strict=True)])

    return define(target, value, "T_tile", BROADCAST)


def repeat(a: Tensor, repeats: int, axis: int) -> Tensor:
    """Return numpy.repeat along an axis."""
    place = normalize_axis(axis, a.ndim, "repeat")
    extent = a.shape[place]

    def value(*i: Expr) -> Expr:
        return a(*i[:place], function("indexdiv")(i[place], repeats), *i[place + 1 :])

    return define([*a.shape[:place], repeats * extent, *a.shape[place + 1 :]], value, "T_repeat", BROADCAST)


def flip(a: Tensor, axis: int = 0) -> Tensor:
    """Return numpy.flip along an axis."""
    place = normalize_axis(axis, a.ndim, "flip")
    extent = a.shape[place]
    value = lambda *i: a(*i[:place], extent - i[place] - 1, *i[place + 1 :])  # noqa: E731
    return define(a.shape, value, "T_reverse_sequence", INJECTIVE)


def reverse_sequence(a: Tensor, seq_lengths: Tensor, seq_axis: int = 1, batch_axis: int = 0) -> Tensor:
    """Return ONNX's ReverseSequence: the first elements of each sequence in reverse order."""
    sequence, batch = (normalize_axis(axis, a.ndim, "reverse_sequence") for axis in (seq_axis, batch_axis))

    def value(*i: Expr) -> Expr:
        length = seq_lengths(i[batch])
        index = i[sequence]
        last = a.shape[sequence]
        reversed_index = function("if_then_else")(length > last, last - 1 - index, length - 1 - index)
        is_kept = function("any")(length <= 1, length <= index)
        return a(*i[:sequence], function("if_then_else")(is_kept, index, reversed_index), *i[sequence + 1 :])

    return define(a.shape, value, "T_reverse_sequence")


def roll(a: Tensor, shift: Extents, axis: Extents | None = None) -> Tensor:
    """Return numpy.roll along one or several axes, of the flattened tensor without any."""
    if axis is None:
        return reshape(roll(reshape(a, [product(a.shape)]), shift, 0), a.shape)
    axes = [normalize_axis(each, a.ndim, "roll") for each in as_list(axis)]
    shifts = as_list(shift) * (1 if isinstance(shift, Sequence) else len(axes))
    amounts = dict(zip(axes, shifts, strict=True))

    def value(*i: Expr) -> Expr:
        return a(*[function("floormod")(x - amounts[n], a.shape[n]) if n in amounts else x for n, x in enumerate(i)])

    return define(a.shape, value, "T_roll")
