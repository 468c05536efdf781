"""Operators that move elements: shapes change, values stay."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from tvmscript.ir.arith.fold import mul, sub
from tvmscript.ir.core.dtype import INT32, INT64, VOID
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.axis_mapping import of_permute_dims
from tvmscript.ir.relax.op.shape_rules import (
    ONE,
    axes_of,
    axis_of,
    common_dtype,
    common_vdevice,
    differ,
    is_one,
    of_extents,
    of_ndim,
    product,
    shape,
    shape_given,
    size,
    tensor,
    tensor_of,
    tensors,
    total,
    with_dtype,
)
from tvmscript.ir.relax.operator import Operator, refusal
from tvmscript.ir.relax.struct_info import (
    UNKNOWN_NDIM,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.relax.symbolic_shape import same_size, simplified
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.operators import add, floordiv, maximum, minimum

# Broadcasting, and its reverse


def _broadcast_to(call: Call) -> StructInfo:
    found, target = tensor(call), shape_given(call, 1)
    wanted = shape(call, 1)
    if UNKNOWN_NDIM not in (found.ndim, wanted.ndim) and wanted.ndim < found.ndim:
        raise refusal(call, 1, f"at least {found.ndim} extents", wanted.ndim)
    for extent, other in zip(reversed(found.extents or ()), reversed(wanted.values or ()), strict=False):
        if not is_one(extent) and differ(extent, other):
            raise refusal(call, 1, f"{extent} where x has it", other)
    return TensorStructInfo(target, found.dtype, vdevice=found.vdevice)


def _collapse_like(call: Call) -> StructInfo:
    data, target = tensor(call), tensor(call, 1)
    _check_collapse(call, data.extents, target.extents)
    return with_dtype(target, data.dtype)


def _collapse_to(call: Call) -> StructInfo:
    data, target = tensor(call), shape_given(call, 1)
    _check_collapse(call, data.extents, shape(call, 1).values)
    return TensorStructInfo(target, data.dtype, vdevice=data.vdevice)


def _check_collapse(call: Call, data: Sequence[Expr] | None, target: Sequence[Expr] | None) -> None:
    """Raises `InvalidCall` where the target does not broadcast to the data, or where that is not known."""
    for extent, other in zip(reversed(data or ()), reversed(target or ()), strict=False):
        if not is_one(other) and not same_size(extent, other):
            raise refusal(call, 1, f"1 or {extent} where the data has {extent}", other)


# Axes


def _expand_dims(call: Call) -> StructInfo:
    found, axes = tensor(call), call.attrs["axis"]
    if found.ndim == UNKNOWN_NDIM:
        return of_ndim(UNKNOWN_NDIM, found.dtype, found.vdevice)
    ndim = found.ndim + len(axes)
    places = axes_of(call, "axis", axes, ndim)
    if found.extents is None:
        return of_ndim(ndim, found.dtype, found.vdevice)
    rest = iter(found.extents)
    return of_extents([ONE if axis in places else next(rest) for axis in range(ndim)], found.dtype, found.vdevice)


def _squeeze(call: Call) -> StructInfo:
    found, axes = tensor(call), call.attrs["axis"]
    if axes is not None and not axes:
        return found
    extents = found.extents
    if axes is None:
        if extents is None or not all(isinstance(extent, IntImm) for extent in extents):
            return of_ndim(UNKNOWN_NDIM, found.dtype, found.vdevice)
        return of_extents([extent for extent in extents if not is_one(extent)], found.dtype, found.vdevice)
    gone = axes_of(call, "axis", axes, found.ndim)
    if extents is None:
        ndim = found.ndim if found.ndim == UNKNOWN_NDIM else found.ndim - len(gone)
        return of_ndim(ndim, found.dtype, found.vdevice)
    for axis in gone:
        if isinstance(extents[axis], IntImm) and not is_one(extents[axis]):
            raise refusal(call, "axis", "axes of extent 1", f"axis {axis} of extent {extents[axis]}")
    return of_extents([each for axis, each in enumerate(extents) if axis not in gone], found.dtype, found.vdevice)


def _permute_dims(call: Call) -> StructInfo:
    found, axes = tensor(call), call.attrs["axes"]
    if axes is not None and found.ndim not in (UNKNOWN_NDIM, len(axes)):
        raise refusal(call, "axes", f"{found.ndim} axes", len(axes))
    ndim = found.ndim if axes is None else len(axes)
    if ndim == UNKNOWN_NDIM:
        return of_ndim(ndim, found.dtype, found.vdevice)
    order = tuple(reversed(range(ndim))) if axes is None else axes_of(call, "axes", axes, ndim)
    if found.ndim == UNKNOWN_NDIM:
        return of_ndim(ndim, found.dtype, found.vdevice)
    if order == tuple(range(found.ndim)):
        return found
    extents = found.extents
    made = None if extents is None else tuple([extents[axis] for axis in order])
    return tensor_of(made, found.ndim, found.dtype, found.vdevice)


def _flip(call: Call) -> StructInfo:
    found = tensor(call)
    axis_of(call, "axis", call.attrs["axis"], found.ndim)
    return found


# Parts and wholes


def _concat(call: Call) -> StructInfo:
    found, axis = tensors(call), call.attrs["axis"]
    dtype = common_dtype(call, [0] * len(found), [each.dtype for each in found])
    ranks = sorted({each.ndim for each in found if each.ndim != UNKNOWN_NDIM} | ({1} if axis is None else set()))
    if len(ranks) > 1:
        raise refusal(call, 0, "tensors of one rank", f"{ranks[0]} and {ranks[-1]} dimensions")
    ndim = ranks[0] if ranks else UNKNOWN_NDIM
    along = axis_of(call, "axis", axis or 0, ndim)
    if len(found) == 1:
        return found[0]
    vdevice = common_vdevice(found)
    shapes = [each.extents for each in found if each.extents is not None]
    is_known = _check_others(call, shapes, along)
    if not is_known or len(shapes) < len(found):
        return of_ndim(ndim, dtype, vdevice)
    extents = list(shapes[0])
    parts = [each[along] for each in shapes]
    is_even = all(same_size(part, parts[0]) for part in parts)
    extents[along] = mul(parts[0], size(len(parts))) if is_even else total(parts)
    return of_extents(extents, dtype, vdevice)


def _check_others(call: Call, shapes: Sequence[Sequence[Expr]], along: int | None) -> bool:
    """Whether all extents, but those on an axis, are known to be equal. Raises `InvalidCall` where some differ."""
    is_known = True
    for other in shapes[1:]:
        for axis, (first, extent) in enumerate(zip(shapes[0], other, strict=True)):
            if axis == along or same_size(first, extent):
                continue
            is_known = False
            if differ(first, extent):
                raise refusal(call, 0, f"tensors of extent {first} on axis {axis}", extent)
    return is_known


def _split(call: Call) -> StructInfo:
    found, how = tensor(call), call.attrs["indices_or_sections"]
    axis = axis_of(call, "axis", call.attrs["axis"], found.ndim)
    if isinstance(how, int) and how <= 0:
        raise refusal(call, "indices_or_sections", "a positive number of sections", how)
    count = how if isinstance(how, int) else len(how) + 1
    if count == 1:
        return TupleStructInfo((found,))
    if found.extents is None:
        return TupleStructInfo((of_ndim(found.ndim, found.dtype, found.vdevice),) * count)
    whole = found.extents[axis]
    parts = _sections(whole, how) if isinstance(how, int) else _between(whole, how)
    before, after = found.extents[:axis], found.extents[axis + 1 :]
    return TupleStructInfo(tuple([of_extents((*before, part, *after), found.dtype, found.vdevice) for part in parts]))


def _sections(whole: Expr, count: int) -> list[Expr]:
    """As many parts, rounded up; the last takes the rest."""
    part = simplified(floordiv(add(whole, count - 1), count))
    return [*[part] * (count - 1), sub(whole, mul(part, size(count - 1)))]


def _between(whole: Expr, places: Sequence[int]) -> list[Expr]:
    """The parts between places; where they are out of order or beyond the end, parts are empty."""
    starts = [size(max(place, 0)) for place in (0, *places)]
    parts = [sub(minimum(end, whole), minimum(start, whole)) for start, end in pairwise(starts)]
    return [simplified(maximum(part, size(0))) for part in (*parts, sub(whole, starts[-1]))]


def _repeat(call: Call) -> StructInfo:
    found, repeats, axis = tensor(call), call.attrs["repeats"], call.attrs["axis"]
    extents = found.extents
    if axis is None:
        flat = None if extents is None else (simplified(mul(product(extents), size(repeats))),)
        return tensor_of(flat, 1, found.dtype, found.vdevice)
    along = axis_of(call, "axis", axis, found.ndim)
    if extents is None:
        return of_ndim(found.ndim, found.dtype, found.vdevice)
    made = [simplified(mul(each, size(repeats))) if place == along else each for place, each in enumerate(extents)]
    return of_extents(made, found.dtype, found.vdevice)


def _tile(call: Call) -> StructInfo:
    found, repeats = tensor(call), call.attrs["repeats"]
    if found.ndim == UNKNOWN_NDIM:
        return of_ndim(UNKNOWN_NDIM, found.dtype, found.vdevice)
    ndim = max(found.ndim, len(repeats))
    if found.extents is None:
        return of_ndim(ndim, found.dtype, found.vdevice)
    extents = [*[ONE] * (ndim - found.ndim), *found.extents]
    times = [*[1] * (ndim - len(repeats)), *repeats]
    made = [simplified(mul(extent, size(count))) for extent, count in zip(extents, times, strict=True)]
    return of_extents(made, found.dtype, found.vdevice)


# New arrangements


def _stack(call: Call) -> StructInfo:
    found = tensors(call)
    dtype = common_dtype(call, [0] * len(found), [each.dtype for each in found])
    ranks = sorted({each.ndim for each in found if each.ndim != UNKNOWN_NDIM})
    if len(ranks) > 1:
        raise refusal(call, 0, "tensors of one rank", f"{ranks[0]} and {ranks[-1]} dimensions")
    ndim = ranks[0] + 1 if ranks else UNKNOWN_NDIM
    along = axis_of(call, "axis", call.attrs["axis"] or 0, ndim)
    vdevice = common_vdevice(found)
    shapes = [each.extents for each in found if each.extents is not None]
    if not _check_others(call, shapes, None) or len(shapes) < len(found):
        return of_ndim(ndim, dtype, vdevice)
    return of_extents([*shapes[0][:along], size(len(found)), *shapes[0][along:]], dtype, vdevice)


def _meshgrid(call: Call) -> StructInfo:
    found = tensors(call)
    for each in found:
        if each.ndim not in (1, UNKNOWN_NDIM):
            raise refusal(call, 0, "tensors of 1 dimension", each.ndim)
    dtype = common_dtype(call, [0] * len(found), [each.dtype for each in found])
    shapes = [each.extents for each in found if each.extents is not None]
    extents = tuple([extents[0] for extents in shapes]) if len(shapes) == len(found) else None
    return TupleStructInfo((tensor_of(extents, len(found), dtype, common_vdevice(found)),) * len(found))


def _reverse_sequence(call: Call) -> StructInfo:
    data, lengths = tensor(call), tensor(call, 1)
    if lengths.ndim not in (1, UNKNOWN_NDIM):
        raise refusal(call, 1, "a tensor of 1 dimension", lengths.ndim)
    if lengths.dtype not in (INT32, INT64, VOID):
        raise refusal(call, 1, "int32 or int64", lengths.dtype)
    axis_of(call, "seq_axis", call.attrs["seq_axis"], data.ndim)
    batch = axis_of(call, "batch_axis", call.attrs["batch_axis"], data.ndim)
    if data.extents is not None and lengths.extents is not None and differ(data.extents[batch], lengths.extents[0]):
        raise refusal(call, 1, f"{data.extents[batch]} lengths, one for each batch", lengths.extents[0])
    return data


def _reversed_parts(np: Any, data: Any, lengths: Any, seq_axis: int, batch_axis: int) -> Any:
    made = data.copy()
    for batch, length in enumerate(lengths):
        part = np.take(data, batch, batch_axis)
        along = seq_axis % data.ndim - (batch_axis % data.ndim < seq_axis % data.ndim)
        places = [length - 1 - place if place < length else place for place in range(part.shape[along])]
        where: list[Any] = [slice(None)] * data.ndim
        where[batch_axis] = batch
        made[tuple(where)] = np.take(part, places, along)
    return made


def _collapsed(np: Any, data: Any, shape: Any) -> Any:
    """The sums that undo a broadcast."""
    wide = data.sum(tuple(range(data.ndim - len(shape))), data.dtype)
    ones = tuple(axis for axis, extent in enumerate(shape) if extent == 1)
    return wide.sum(ones, wide.dtype, keepdims=True)


def _split_apart(np: Any, x: Any, how: Any, axis: int) -> tuple[Any, ...]:
    if isinstance(how, int):
        part = -(-x.shape[axis] // how)
        how = [part * number for number in range(1, how)]
    return tuple(np.split(x, [place if place > 0 else 0 for place in how], axis))


broadcast_to = Operator(
    "broadcast_to",
    "x: Expr, shape: Shape",
    _broadcast_to,
    mixed_precision="follow",
    reference=lambda np, x, shape: np.broadcast_to(x, shape),
    doc="The tensor repeated along axes that it lacks or where its extent is 1.",
)
collapse_sum_like = Operator(
    "collapse_sum_like",
    "data: Expr, collapse_target: Expr",
    _collapse_like,
    reference=lambda np, data, target: _collapsed(np, data, target.shape),
    doc="The sums over what a broadcast from the target's shape would repeat.",
)
collapse_sum_to = Operator(
    "collapse_sum_to",
    "data: Expr, shape: Shape",
    _collapse_to,
    reference=_collapsed,
    doc="The sums over what a broadcast from the shape would repeat.",
)
concat = Operator(
    "concat",
    "tensors: Tuple, axis: int | None = 0",
    _concat,
    mixed_precision="follow",
    layout="concat",
    reference=lambda np, tensors, axis: np.concatenate(tensors, axis),
    doc="Tensors one after another along an axis.",
)
expand_dims = Operator(
    "expand_dims",
    "x: Expr, axis: ints",
    _expand_dims,
    mixed_precision="follow",
    layout="expand_dims",
    reference=lambda np, x, axis: np.expand_dims(x, axis),
    doc="New axes of extent 1, counted in the result.",
)
flip = Operator(
    "flip",
    "data: Expr, axis: int",
    _flip,
    reference=lambda np, x, axis: np.flip(x, axis),
    doc="The order along an axis turned round.",
)
meshgrid = Operator(
    "meshgrid",
    'tensors: Tuple, indexing: str | None = "ij"',
    _meshgrid,
    reference=lambda np, tensors, indexing: tuple(np.meshgrid(*tensors, indexing=indexing)),
    doc="For each tensor of one dimension, its elements along an axis of its own, repeated along the others.",
)
permute_dims = Operator(
    "permute_dims",
    "x: Expr, axes: ints | None = None",
    _permute_dims,
    mixed_precision="follow",
    layout="permute_dims",
    joined_axes=of_permute_dims,
    reference=lambda np, x, axes: np.transpose(x, axes),
    doc="Axes in another order, reversed where none is given.",
)
repeat = Operator(
    "repeat",
    "data: Expr, repeats: int, axis: int | None = None",
    _repeat,
    reference=lambda np, x, repeats, axis: np.repeat(x, repeats, axis),
    doc="Each element several times, one after another.",
)
reverse_sequence = Operator(
    "reverse_sequence",
    "data: Expr, seq_lengths: Expr, seq_axis: int = 1, batch_axis: int = 0",
    _reverse_sequence,
    reference=_reversed_parts,
    doc="The first elements of each batch in reverse order, as many as its length says.",
)
split = Operator(
    "split",
    "x: Expr, indices_or_sections: sections, axis: int = 0",
    _split,
    mixed_precision="follow",
    layout="split",
    reference=_split_apart,
    doc="Parts along an axis: so many of them, or those between the places.",
)
squeeze = Operator(
    "squeeze",
    "x: Expr, axis: ints | None = None",
    _squeeze,
    mixed_precision="follow",
    layout="squeeze",
    reference=lambda np, x, axis: np.squeeze(x, axis),
    doc="Without axes of extent 1: the given ones, or all.",
)
stack = Operator(
    "stack",
    "tensors: Tuple, axis: int | None = 0",
    _stack,
    reference=lambda np, tensors, axis: np.stack(tensors, axis or 0),
    doc="Tensors of one shape side by side along a new axis.",
)
tile = Operator(
    "tile",
    "data: Expr, repeats: ints",
    _tile,
    reference=lambda np, x, repeats: np.tile(x, repeats),
    doc="The whole tensor several times along each axis, counted from the last.",
)
