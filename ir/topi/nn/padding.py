"""Padding and dilation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import EQ, Expr, as_expr, const
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.topi.common import INJECTIVE, Extents, as_list, define, function, known_int, simplify
from tvmscript.ir.topi.errors import InvalidOperand


def _check(where: str, data: Tensor, before: Extents, after: Extents | None) -> tuple[list[Extent], list[Extent]]:
    heads = as_list(before)
    tails = heads if after is None else as_list(after)
    if not len(heads) == len(tails) == data.ndim:
        raise InvalidOperand(where=where, reason=f"{len(heads)} and {len(tails)} widths for {data.ndim} dimensions")
    return heads, tails


def pad(
    data: Tensor,
    pad_before: Extents,
    pad_after: Extents | None = None,
    pad_value: Operand = 0.0,
    name: str = "PadInput",
    attrs: Mapping[str, Any] | None = None,
) -> Tensor:
    """Return numpy.pad with a constant."""
    heads, tails = _check("nn.pad", data, pad_before, pad_after)
    shape = [simplify(x + head + tail) for x, head, tail in zip(data.shape, heads, tails, strict=True)]
    fill = function("cast")(as_expr(pad_value), data.dtype)
    value = _inside_or(data, heads, tails, fill, by_side=False)
    return compute(shape, value, name=name, tag=f"{INJECTIVE},pad", attrs=attrs)


def pad_axes(
    data: Tensor, axes: Sequence[int], before: Sequence[Extent], after: Sequence[Extent], fill: Expr, name: str
) -> Tensor:
    """Return a tensor padded along some axes; itself where all widths are 0."""
    heads: list[Extent] = [0] * data.ndim
    tails = list(heads)
    for axis, head, tail in zip(axes, before, after, strict=True):
        heads[axis], tails[axis] = head, tail
    is_padded = any(known_int(width) != 0 for width in heads + tails)
    return pad_before_after(data, heads, tails, fill, name) if is_padded else data


def pad_before_after(
    data: Tensor, before: Sequence[Extent], after: Sequence[Extent], fill: Expr, name: str = "T_pad"
) -> Tensor:
    """Return numpy.pad with a constant, as operators use it inside."""
    shape = [
        simplify(x + head + tail) if (known_int(head), known_int(tail)) != (0, 0) else x
        for x, head, tail in zip(data.shape, before, after, strict=True)
    ]
    return define(shape, _inside_or(data, before, after, fill, by_side=True), name, INJECTIVE)


def _inside_or(
    data: Tensor, before: Sequence[Extent], after: Sequence[Extent], fill: Expr, *, by_side: bool
) -> Callable[..., Expr]:
    """Return the function from indices of a padded tensor to its elements.

    There is no condition for a dimension whose widths are known zeros, `by_side` none for a side of which that holds.
    """

    def value(*i: Expr) -> Expr:
        indices = list(i)
        inside: list[Expr] = []
        for n, index in enumerate(i):
            has_head, has_tail = known_int(before[n]) != 0, known_int(after[n]) != 0
            if not by_side:
                has_head = has_tail = has_head or has_tail
            if has_head:
                inside.append(index >= before[n])
                indices[n] = index - before[n]
            if has_tail:
                inside.append(index < data.shape[n] + before[n])
        if not inside:
            return data(*indices)
        return function("if_then_else")(function("all")(*inside), data(*indices), fill)

    return value


def mirror_pad(
    data: Tensor,
    pad_before: Extents,
    pad_after: Extents | None = None,
    mode: str = "SYMMETRIC",
    name: str = "MirrorPadInput",
) -> Tensor:
    """Return numpy.pad with reflections, with the edge ("SYMMETRIC") or without ("REFLECT")."""
    heads, tails = _check("nn.mirror_pad", data, pad_before, pad_after)
    edge = 1 if mode == "SYMMETRIC" else 0

    def source(index: Expr, extent: Expr, head: Extent) -> Expr:
        place = index - head
        return function("if_then_else")(
            index >= extent + head,
            extent * 2 - place - 1 - (1 - edge),
            function("if_then_else")(index < head, 0 - place - edge, place),
        )

    return _pad_from(data, heads, tails, source, name)


def replicate_pad(
    data: Tensor, pad_before: Extents, pad_after: Extents | None = None, name: str = "ReplicatePadInput"
) -> Tensor:
    """Return numpy.pad with the elements at the edge."""
    heads, tails = _check("nn.replicate_pad", data, pad_before, pad_after)

    def source(index: Expr, extent: Expr, head: Extent) -> Expr:
        return function("max")(function("min")(index - head, extent - 1), 0)

    return _pad_from(data, heads, tails, source, name)


def circular_pad(
    data: Tensor, pad_before: Extents, pad_after: Extents | None = None, name: str = "CircularPadInput"
) -> Tensor:
    """Return numpy.pad with the elements from the other end."""
    heads, tails = _check("nn.circular_pad", data, pad_before, pad_after)
    return _pad_from(data, heads, tails, lambda index, extent, head: (index - head) % extent, name)


def _pad_from(
    data: Tensor,
    heads: Sequence[Extent],
    tails: Sequence[Extent],
    source: Callable[[Expr, Expr, Extent], Expr],
    name: str,
) -> Tensor:
    """Return a tensor padded with elements of its own. `source` is the place of an index: (index, extent, head)."""
    shape = [simplify(x + head + tail) for x, head, tail in zip(data.shape, heads, tails, strict=True)]

    def value(*i: Expr) -> Expr:
        axes = zip(i, data.shape, heads, tails, strict=True)
        return data(
            *[
                index if known_int(head) == known_int(tail) == 0 else source(index, extent, head)
                for index, extent, head, tail in axes
            ]
        )

    return compute(shape, value, name=name, tag=f"{INJECTIVE},pad")


def dilate(data: Tensor, strides: Extents, dilation_value: float = 0.0, name: str = "DilatedInput") -> Tensor:
    """Return a tensor with other elements between those of a tensor: `strides - 1` of them in each dimension."""
    steps = as_list(strides)
    if len(steps) != data.ndim:
        raise InvalidOperand(where="nn.dilate", reason=f"{len(steps)} strides for {data.ndim} dimensions")
    shape = [simplify((extent - 1) * step + 1) for extent, step in zip(data.shape, steps, strict=True)]

    def value(*i: Expr) -> Expr:
        hits = [
            EQ(function("indexmod")(index, step), const(0, index.dtype))
            for index, step in zip(i, steps, strict=True)
            if known_int(step) != 1
        ]
        indices = [
            index if known_int(step) == 1 else function("indexdiv")(index, step)
            for index, step in zip(i, steps, strict=True)
        ]
        if not hits:
            return data(*indices)
        return function("if_then_else")(function("all")(*hits), data(*indices), const(dilation_value, data.dtype))

    return compute(shape, value, name=name, tag=f"{INJECTIVE},dilate")
