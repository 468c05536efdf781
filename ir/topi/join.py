"""Operators that put tensors together and take them apart: concatenate, stack, split, meshgrid, tile, repeat, flip."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import EQ, Expr, const
from tvmscript.ir.topi.common import (
    BROADCAST,
    INJECTIVE,
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


def concatenate(a_tuple: Any, axis: int = 0) -> Any:
    """Return numpy.concatenate."""
    inputs: list[Tensor] = list(a_tuple)
    place = normalize_axis(axis, inputs[0].ndim, "concatenate")
    total: Any = inputs[0].shape[place]
    for tensor in inputs[1:]:
        if tensor.ndim != inputs[0].ndim:
            raise InvalidOperand(where="concatenate", reason="the tensors have several ranks")
        total = total + tensor.shape[place]

    def value(*i: Expr) -> Any:
        result: Any = inputs[0](*i)
        index: Any = i[place]
        for before, tensor in pairwise(inputs):
            index = index - before.shape[place]
            element = tensor(*i[:place], index, *i[place + 1 :])
            result = function("if_then_else")(index >= 0, element, result)
        return result

    shape = inputs[0].shape
    return define([*shape[:place], simplify(total), *shape[place + 1 :]], value, "T_concat")


def stack(a: Any, axis: int) -> Any:
    """Return numpy.stack."""
    inputs: list[Tensor] = as_list(a)
    place = normalize_axis(axis, inputs[0].ndim + 1, "stack")

    def value(*i: Expr) -> Any:
        rest = (*i[:place], *i[place + 1 :])
        result: Any = inputs[0](*rest)
        for number, tensor in enumerate(inputs[1:], 1):
            is_here = EQ(i[place], const(number, i[place].dtype))
            result = function("if_then_else")(is_here, tensor(*rest), result)
        return result

    shape = inputs[0].shape
    return define([*shape[:place], len(inputs), *shape[place:]], value, "T_stack")


def split(ary: Tensor, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """Return numpy.split: equal sections, or parts that begin at indices."""
    place = normalize_axis(axis, ary.ndim, "split")
    extent = ary.shape[place]
    if isinstance(indices_or_sections, (list, tuple)):
        begins, name = [0, *indices_or_sections], "T_split"
        ends = [*indices_or_sections, extent]
    else:
        sections, name = as_int(indices_or_sections, "split"), "T_split_sections"
        known = known_int(extent)
        if sections < 1 or (known is not None and known % sections):
            raise InvalidOperand(where="split", reason=f"{extent} elements are not {sections} equal sections")
        size = simplify(function("indexdiv")(extent + sections - 1, sections))
        begins = [size * number for number in range(sections)]
        ends = [*begins[1:], extent]

    def part(begin: Any, end: Any) -> Any:
        shape = [*ary.shape[:place], simplify(end - begin), *ary.shape[place + 1 :]]
        return define(shape, lambda *i: ary(*i[:place], i[place] + begin, *i[place + 1 :]), name)

    return [part(begin, end) for begin, end in zip(begins, ends, strict=True)]


def meshgrid(a_tuple: Any, indexing: str) -> list[Any]:
    """Return numpy.meshgrid of vectors, for `indexing` "ij" or "xy"."""
    inputs: list[Tensor] = list(a_tuple)
    order = list(range(len(inputs)))
    if indexing == "xy" and len(inputs) > 1:
        order[:2] = [1, 0]
    shape = [inputs[number].shape[0] if inputs[number].ndim else 1 for number in order]

    def grid(number: int) -> Any:
        source, place = inputs[number], order.index(number)
        return define(shape, lambda *i: source(*([i[place]] if source.ndim else [])), "T_meshgrid")

    return [grid(number) for number in range(len(inputs))]


def tile(a: Tensor, reps: Any) -> Any:
    """Return numpy.tile."""
    times = as_list(reps)
    rank = max(a.ndim, len(times))
    counts = [1] * (rank - len(times)) + times
    shape: list[Any] = [1] * (rank - a.ndim) + list(a.shape)
    target = [simplify(extent * count) for extent, count in zip(shape, counts, strict=True)]
    if any(known_int(extent) == 0 for extent in target):
        return define(target, lambda *_: const(0, a.dtype), "T_tile", BROADCAST)

    def value(*i: Expr) -> Any:
        last = i[rank - a.ndim :]
        return a(*[function("indexmod")(index, extent) for index, extent in zip(last, a.shape, strict=True)])

    return define(target, value, "T_tile", BROADCAST)


def repeat(a: Tensor, repeats: int, axis: int) -> Any:
    """Return numpy.repeat along an axis."""
    place = normalize_axis(axis, a.ndim, "repeat")
    extent: Any = a.shape[place]

    def value(*i: Expr) -> Any:
        return a(*i[:place], function("indexdiv")(i[place], repeats), *i[place + 1 :])

    return define([*a.shape[:place], repeats * extent, *a.shape[place + 1 :]], value, "T_repeat", BROADCAST)


def flip(a: Tensor, axis: int = 0) -> Any:
    """Return numpy.flip along an axis."""
    place = normalize_axis(axis, a.ndim, "flip")
    extent: Any = a.shape[place]
    value = lambda *i: a(*i[:place], extent - i[place] - 1, *i[place + 1 :])  # noqa: E731
    return define(a.shape, value, "T_reverse_sequence", INJECTIVE)


def reverse_sequence(a: Tensor, seq_lengths: Tensor, seq_axis: int = 1, batch_axis: int = 0) -> Any:
    """Return ONNX's ReverseSequence: the first elements of each sequence in reverse order."""
    sequence, batch = (normalize_axis(axis, a.ndim, "reverse_sequence") for axis in (seq_axis, batch_axis))

    def value(*i: Expr) -> Any:
        length: Any = seq_lengths(i[batch])
        index: Any = i[sequence]
        last: Any = a.shape[sequence]
        reversed_index = function("if_then_else")(length > last, last - 1 - index, length - 1 - index)
        is_kept = function("any")(length <= 1, length <= index)
        return a(*i[:sequence], function("if_then_else")(is_kept, index, reversed_index), *i[sequence + 1 :])

    return define(a.shape, value, "T_reverse_sequence")


def roll(a: Tensor, shift: Any, axis: Any = None) -> Any:
    """Return numpy.roll along one or several axes, of the flattened tensor without any."""
    if axis is None:
        return reshape(roll(reshape(a, [product(a.shape)]), shift, 0), a.shape)
    axes = [normalize_axis(item, a.ndim, "roll") for item in as_list(axis)]
    shifts = as_list(shift) * (len(axes) if not isinstance(shift, (list, tuple)) else 1)
    amounts = dict(zip(axes, shifts, strict=True))

    def value(*i: Expr) -> Any:
        return a(*[function("floormod")(x - amounts[n], a.shape[n]) if n in amounts else x for n, x in enumerate(i)])

    return define(a.shape, value, "T_roll")
