"""Data movement: broadcasting, permuting, concatenating, splitting."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from types import ModuleType
from typing import Any

from tvmscript.ir.arith.fold import mul, sub
from tvmscript.ir.core import INT32, INT64, VOID
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.adjoint import Adjoint, apply
from tvmscript.ir.relax.op.axis_mapping import map_permute_dims_axes
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.symbolic_shape import provably_equal, simplify_extent, simplify_size
from tvmscript.ir.tir import Expr, IntImm
from tvmscript.ir.tir.operators import add, floordiv, maximum, minimum

# Broadcasting and its reverse


def _infer_broadcast_to(call: Call) -> StructInfo:
    info, target = rules.expect_tensor(call), rules.shape_argument(call, 1)
    target_info = rules.expect_shape(call, 1)
    if UNKNOWN_NDIM not in (info.ndim, target_info.ndim) and target_info.ndim < info.ndim:
        raise invalid_argument(call, 1, f"at least {info.ndim} extents", target_info.ndim)
    for extent, other in zip(reversed(info.extents or ()), reversed(target_info.values or ()), strict=False):
        if not rules.is_one(extent) and rules.provably_differ(extent, other):
            raise invalid_argument(call, 1, f"{extent} where x has it", other)
    return TensorStructInfo(target, info.dtype, vdevice=info.vdevice)


def _infer_collapse_like(call: Call) -> StructInfo:
    data, target = rules.expect_tensor(call), rules.expect_tensor(call, 1)
    _check_collapse(call, data.extents, target.extents)
    return rules.with_dtype(target, data.dtype)


def _infer_collapse_to(call: Call) -> StructInfo:
    data, target = rules.expect_tensor(call), rules.shape_argument(call, 1)
    _check_collapse(call, data.extents, rules.expect_shape(call, 1).values)
    return TensorStructInfo(target, data.dtype, vdevice=data.vdevice)


def _check_collapse(call: Call, data: Sequence[Expr] | None, target: Sequence[Expr] | None) -> None:
    """Check that the target provably broadcasts to the data. Raises `InvalidCall`."""
    for extent, other in zip(reversed(data or ()), reversed(target or ()), strict=False):
        if not rules.is_one(other) and not provably_equal(extent, other):
            raise invalid_argument(call, 1, f"1 or {extent} where the data has {extent}", other)


# Axes


def _infer_expand_dims(call: Call) -> StructInfo:
    info, axes = rules.expect_tensor(call), call.attrs["axis"]
    if info.ndim == UNKNOWN_NDIM:
        return rules.tensor_of_ndim(UNKNOWN_NDIM, info.dtype, info.vdevice)
    ndim = info.ndim + len(axes)
    places = rules.normalize_axes(call, "axis", axes, ndim)
    if info.extents is None:
        return rules.tensor_of_ndim(ndim, info.dtype, info.vdevice)
    rest = iter(info.extents)
    return rules.tensor_of_shape(
        [rules.ONE if axis in places else next(rest) for axis in range(ndim)], info.dtype, info.vdevice
    )


def _infer_squeeze(call: Call) -> StructInfo:
    info, axes = rules.expect_tensor(call), call.attrs["axis"]
    if axes is not None and not axes:
        return info
    extents = info.extents
    if axes is None:
        if extents is None or not all(isinstance(extent, IntImm) for extent in extents):
            return rules.tensor_of_ndim(UNKNOWN_NDIM, info.dtype, info.vdevice)
        return rules.tensor_of_shape(
            [extent for extent in extents if not rules.is_one(extent)], info.dtype, info.vdevice
        )
    squeezed = rules.normalize_axes(call, "axis", axes, info.ndim)
    if extents is None:
        ndim = info.ndim if info.ndim == UNKNOWN_NDIM else info.ndim - len(squeezed)
        return rules.tensor_of_ndim(ndim, info.dtype, info.vdevice)
    for axis in squeezed:
        if isinstance(extents[axis], IntImm) and not rules.is_one(extents[axis]):
            raise invalid_argument(call, "axis", "axes of extent 1", f"axis {axis} of extent {extents[axis]}")
    return rules.tensor_of_shape(
        [extent for axis, extent in enumerate(extents) if axis not in squeezed], info.dtype, info.vdevice
    )


def _infer_permute_dims(call: Call) -> StructInfo:
    info, axes = rules.expect_tensor(call), call.attrs["axes"]
    if axes is not None and info.ndim not in (UNKNOWN_NDIM, len(axes)):
        raise invalid_argument(call, "axes", f"{info.ndim} axes", len(axes))
    ndim = info.ndim if axes is None else len(axes)
    if ndim == UNKNOWN_NDIM:
        return rules.tensor_of_ndim(ndim, info.dtype, info.vdevice)
    order = tuple(reversed(range(ndim))) if axes is None else rules.normalize_axes(call, "axes", axes, ndim)
    if info.ndim == UNKNOWN_NDIM:
        return rules.tensor_of_ndim(ndim, info.dtype, info.vdevice)
    if order == tuple(range(info.ndim)):
        return info
    extents = info.extents
    permuted = None if extents is None else tuple([extents[axis] for axis in order])
    return rules.make_tensor(permuted, info.ndim, info.dtype, info.vdevice)


def _infer_flip(call: Call) -> StructInfo:
    info = rules.expect_tensor(call)
    rules.normalize_axis(call, "axis", call.attrs["axis"], info.ndim)
    return info


# Concatenation and splitting


def _infer_concat(call: Call) -> StructInfo:
    infos, axis = rules.expect_tensors(call), call.attrs["axis"]
    dtype = rules.common_dtype(call, [0] * len(infos), [info.dtype for info in infos])
    ranks = sorted({info.ndim for info in infos if info.ndim != UNKNOWN_NDIM} | ({1} if axis is None else set()))
    if len(ranks) > 1:
        raise invalid_argument(call, 0, "tensors of equal rank", f"{ranks[0]} and {ranks[-1]} dimensions")
    ndim = ranks[0] if ranks else UNKNOWN_NDIM
    along = rules.normalize_axis(call, "axis", axis or 0, ndim)
    if len(infos) == 1:
        return infos[0]
    vdevice = rules.common_vdevice(infos)
    shapes = [info.extents for info in infos if info.extents is not None]
    is_known = _check_other_axes(call, shapes, along)
    if not is_known or len(shapes) < len(infos):
        return rules.tensor_of_ndim(ndim, dtype, vdevice)
    extents = list(shapes[0])
    parts = [info[along] for info in shapes]
    is_even = all(provably_equal(part, parts[0]) for part in parts)
    extents[along] = mul(parts[0], rules.int64(len(parts))) if is_even else rules.sum_of_extents(parts)
    return rules.tensor_of_shape(extents, dtype, vdevice)


def _check_other_axes(call: Call, shapes: Sequence[Sequence[Expr]], along: int | None) -> bool:
    """Whether all shapes provably agree except along one axis. Raises `InvalidCall` where they provably differ."""
    is_known = True
    for other in shapes[1:]:
        for axis, (first, extent) in enumerate(zip(shapes[0], other, strict=True)):
            if axis == along or provably_equal(first, extent):
                continue
            is_known = False
            if rules.provably_differ(first, extent):
                raise invalid_argument(call, 0, f"tensors of extent {first} on axis {axis}", extent)
    return is_known


def _infer_split(call: Call) -> StructInfo:
    info, how = rules.expect_tensor(call), call.attrs["indices_or_sections"]
    axis = rules.normalize_axis(call, "axis", call.attrs["axis"], info.ndim)
    if isinstance(how, int) and how <= 0:
        raise invalid_argument(call, "indices_or_sections", "a positive number of sections", how)
    count = how if isinstance(how, int) else len(how) + 1
    if count == 1:
        return TupleStructInfo((info,))
    if info.extents is None:
        return TupleStructInfo((rules.tensor_of_ndim(info.ndim, info.dtype, info.vdevice),) * count)
    whole = info.extents[axis]
    parts = _extents_of_sections(whole, how) if isinstance(how, int) else _extents_between(whole, how)
    before, after = info.extents[:axis], info.extents[axis + 1 :]
    return TupleStructInfo(
        tuple([rules.tensor_of_shape((*before, part, *after), info.dtype, info.vdevice) for part in parts])
    )


def _extents_of_sections(whole: Expr, count: int) -> list[Expr]:
    """Return the extents of equal sections, rounded up; the last section takes the rest."""
    part = simplify_size(floordiv(add(whole, count - 1), count))
    return [*[part] * (count - 1), sub(whole, mul(part, rules.int64(count - 1)))]


def _extents_between(whole: Expr, places: Sequence[int]) -> list[Expr]:
    """Return the extents between split indices; unordered or out-of-range indices give empty parts."""
    starts = [rules.int64(max(place, 0)) for place in (0, *places)]
    parts = [sub(minimum(end, whole), minimum(start, whole)) for start, end in pairwise(starts)]
    return [simplify_extent(maximum(part, rules.int64(0))) for part in (*parts, sub(whole, starts[-1]))]


def _check_repeats(call: Call, counts: Sequence[int]) -> None:
    negative = next((count for count in counts if count < 0), None)
    if negative is not None:
        raise invalid_argument(call, "repeats", "no negative number", negative)


def _infer_repeat(call: Call) -> StructInfo:
    info, repeats, axis = rules.expect_tensor(call), call.attrs["repeats"], call.attrs["axis"]
    _check_repeats(call, (repeats,))
    extents = info.extents
    if axis is None:
        flat = None if extents is None else (simplify_size(mul(rules.num_elements(extents), rules.int64(repeats))),)
        return rules.make_tensor(flat, 1, info.dtype, info.vdevice)
    along = rules.normalize_axis(call, "axis", axis, info.ndim)
    if extents is None:
        return rules.tensor_of_ndim(info.ndim, info.dtype, info.vdevice)
    repeated = [
        simplify_size(mul(extent, rules.int64(repeats))) if place == along else extent
        for place, extent in enumerate(extents)
    ]
    return rules.tensor_of_shape(repeated, info.dtype, info.vdevice)


def _infer_tile(call: Call) -> StructInfo:
    info, repeats = rules.expect_tensor(call), call.attrs["repeats"]
    _check_repeats(call, repeats)
    if info.ndim == UNKNOWN_NDIM:
        return rules.tensor_of_ndim(UNKNOWN_NDIM, info.dtype, info.vdevice)
    ndim = max(info.ndim, len(repeats))
    if info.extents is None:
        return rules.tensor_of_ndim(ndim, info.dtype, info.vdevice)
    extents = [*[rules.ONE] * (ndim - info.ndim), *info.extents]
    times = [*[1] * (ndim - len(repeats)), *repeats]
    tiled = [simplify_size(mul(extent, rules.int64(count))) for extent, count in zip(extents, times, strict=True)]
    return rules.tensor_of_shape(tiled, info.dtype, info.vdevice)


# Stacking and reordering


def _infer_stack(call: Call) -> StructInfo:
    infos = rules.expect_tensors(call)
    dtype = rules.common_dtype(call, [0] * len(infos), [info.dtype for info in infos])
    ranks = sorted({info.ndim for info in infos if info.ndim != UNKNOWN_NDIM})
    if len(ranks) > 1:
        raise invalid_argument(call, 0, "tensors of equal rank", f"{ranks[0]} and {ranks[-1]} dimensions")
    ndim = ranks[0] + 1 if ranks else UNKNOWN_NDIM
    along = rules.normalize_axis(call, "axis", call.attrs["axis"] or 0, ndim)
    vdevice = rules.common_vdevice(infos)
    shapes = [info.extents for info in infos if info.extents is not None]
    if not _check_other_axes(call, shapes, None) or len(shapes) < len(infos):
        return rules.tensor_of_ndim(ndim, dtype, vdevice)
    return rules.tensor_of_shape([*shapes[0][:along], rules.int64(len(infos)), *shapes[0][along:]], dtype, vdevice)


def _infer_meshgrid(call: Call) -> StructInfo:
    infos = rules.expect_tensors(call)
    for info in infos:
        if info.ndim not in (1, UNKNOWN_NDIM):
            raise invalid_argument(call, 0, "tensors of 1 dimension", info.ndim)
    dtype = rules.common_dtype(call, [0] * len(infos), [info.dtype for info in infos])
    shapes = [info.extents for info in infos if info.extents is not None]
    extents = tuple([extents[0] for extents in shapes]) if len(shapes) == len(infos) else None
    return TupleStructInfo((rules.make_tensor(extents, len(infos), dtype, rules.common_vdevice(infos)),) * len(infos))


def _infer_reverse_sequence(call: Call) -> StructInfo:
    data, lengths = rules.expect_tensor(call), rules.expect_tensor(call, 1)
    if lengths.ndim not in (1, UNKNOWN_NDIM):
        raise invalid_argument(call, 1, "a tensor of 1 dimension", lengths.ndim)
    if lengths.dtype not in (INT32, INT64, VOID):
        raise invalid_argument(call, 1, "int32 or int64", lengths.dtype)
    rules.normalize_axis(call, "seq_axis", call.attrs["seq_axis"], data.ndim)
    batch = rules.normalize_axis(call, "batch_axis", call.attrs["batch_axis"], data.ndim)
    if (
        data.extents is not None
        and lengths.extents is not None
        and rules.provably_differ(data.extents[batch], lengths.extents[0])
    ):
        raise invalid_argument(call, 1, f"{data.extents[batch]} lengths, one for each batch", lengths.extents[0])
    return data


def _compute_reverse_sequence(np: ModuleType, data: Array, lengths: Array, seq_axis: int, batch_axis: int) -> Array:
    result = data.copy()
    for batch, length in enumerate(lengths):
        part = np.take(data, batch, batch_axis)
        along = seq_axis % data.ndim - (batch_axis % data.ndim < seq_axis % data.ndim)
        places = [length - 1 - place if place < length else place for place in range(part.shape[along])]
        where: list[object] = [slice(None)] * data.ndim
        where[batch_axis] = batch
        result[tuple(where)] = np.take(part, places, along)
    return result


def _compute_collapse(np: ModuleType, data: Array, shape: Any) -> Array:
    """Compute the sums that reverse a broadcast."""
    wide = data.sum(tuple(range(data.ndim - len(shape))), data.dtype)
    ones = tuple(axis for axis, extent in enumerate(shape) if extent == 1)
    return wide.sum(ones, wide.dtype, keepdims=True)


def _compute_split(np: ModuleType, x: Array, how: Any, axis: int) -> tuple[Array, ...]:
    if isinstance(how, int):
        part = -(-x.shape[axis] // how)
        how = [part * number for number in range(1, how)]
    return tuple(np.split(x, [place if place > 0 else 0 for place in how], axis))


def _expand_collapse_like(_: object, call: Call) -> Call:
    info = rules.expect_tensor(call, 1)
    assert info.shape is not None
    return Call(collapse_sum_to, (call.args[0], info.shape))


def _differentiate_concat(adjoint: Adjoint) -> tuple[RelaxExpr]:
    """Split the gradient at the ends of the tensors."""
    axis: int = adjoint.call.attrs["axis"] or 0
    ends: list[Expr] = []
    for info in rules.expect_tensors(adjoint.call)[:-1]:
        assert info.extents is not None
        ends.append(simplify_size(rules.sum_of_extents([*ends[-1:], info.extents[axis]])))
    return (apply("split", adjoint.gradient, ends, axis=axis),)


def _differentiate_permute_dims(adjoint: Adjoint) -> tuple[RelaxExpr]:
    axes: tuple[int, ...] | None = adjoint.call.attrs["axes"]
    if axes is None:
        return (apply("permute_dims", adjoint.gradient),)
    inverse = sorted(range(len(axes)), key=lambda at: axes[at] % len(axes))
    return (apply("permute_dims", adjoint.gradient, inverse),)


broadcast_to = Operator(
    "broadcast_to",
    "x: Expr, shape: Shape",
    _infer_broadcast_to,
    mixed_precision="follow",
    reference=lambda np, x, shape: np.broadcast_to(x, shape),
    legalize=lambda topi, x, shape: topi.broadcast_to(x, shape),
    gradient=lambda a: (a.sum_to_argument(a.gradient, 0), None),
    doc="Broadcast the tensor to a shape.",
)
collapse_sum_like = Operator(
    "collapse_sum_like",
    "data: Expr, collapse_target: Expr",
    _infer_collapse_like,
    reference=lambda np, data, target: _compute_collapse(np, data, target.shape),
    expand=_expand_collapse_like,
    doc="Sum to the shape of the target: the reverse of a broadcast.",
)
collapse_sum_to = Operator(
    "collapse_sum_to",
    "data: Expr, shape: Shape",
    _infer_collapse_to,
    reference=_compute_collapse,
    legalize=lambda topi, data, shape: topi.collapse_sum(data, shape),
    kernel_name="collapse_sum",
    doc="Sum to a shape: the reverse of a broadcast.",
)
concat = Operator(
    "concat",
    "tensors: Tuple, axis: int | None = 0",
    _infer_concat,
    mixed_precision="follow",
    layout="concat",
    reference=lambda np, tensors, axis: np.concatenate(tensors, axis),
    legalize=lambda topi, tensors, axis: topi.concatenate(tensors, axis or 0),
    kernel_name="concatenate",
    gradient=_differentiate_concat,
    doc="Concatenate tensors along an axis.",
)
expand_dims = Operator(
    "expand_dims",
    "x: Expr, axis: ints",
    _infer_expand_dims,
    mixed_precision="follow",
    layout="expand_dims",
    reference=lambda np, x, axis: np.expand_dims(x, axis),
    legalize=lambda topi, x, axis: topi.graph.expand_dims(x, axis),
    gradient=lambda a: (apply("squeeze", a.gradient, axis=a.call.attrs["axis"]),),
    doc="Insert axes of extent 1; axes are counted in the result.",
)
flip = Operator(
    "flip",
    "data: Expr, axis: int",
    _infer_flip,
    reference=lambda np, x, axis: np.flip(x, axis),
    legalize=lambda topi, x, axis: topi.flip(x, axis),
    doc="Reverse the elements along an axis.",
)
meshgrid = Operator(
    "meshgrid",
    'tensors: Tuple, indexing: str | None = "ij"',
    _infer_meshgrid,
    reference=lambda np, tensors, indexing: tuple(np.meshgrid(*tensors, indexing=indexing)),
    legalize=lambda topi, tensors, indexing: topi.meshgrid(tensors, indexing),
    doc="Coordinate matrices from one-dimensional coordinate vectors.",
)
permute_dims = Operator(
    "permute_dims",
    "x: Expr, axes: ints | None = None",
    _infer_permute_dims,
    mixed_precision="follow",
    layout="permute_dims",
    mapped_axes=map_permute_dims_axes,
    reference=lambda np, x, axes: np.transpose(x, axes),
    legalize=lambda topi, x, axes: topi.transpose(x, axes),
    kernel_name="transpose",
    gradient=_differentiate_permute_dims,
    doc="Permute the axes; reverse them where no order is given.",
)
repeat = Operator(
    "repeat",
    "data: Expr, repeats: int, axis: int | None = None",
    _infer_repeat,
    reference=lambda np, x, repeats, axis: np.repeat(x, repeats, axis),
    legalize=lambda topi, x, repeats, axis: topi.graph.repeat(x, repeats, axis),
    doc="Repeat each element along an axis.",
)
reverse_sequence = Operator(
    "reverse_sequence",
    "data: Expr, seq_lengths: Expr, seq_axis: int = 1, batch_axis: int = 0",
    _infer_reverse_sequence,
    reference=_compute_reverse_sequence,
    legalize=lambda topi, *args: topi.reverse_sequence(*args),
    doc="Reverse the first `seq_lengths[i]` elements of batch i along an axis.",
)
split = Operator(
    "split",
    "x: Expr, indices_or_sections: sections, axis: int = 0",
    _infer_split,
    mixed_precision="follow",
    layout="split",
    reference=_compute_split,
    legalize=lambda topi, x, indices_or_sections, axis: topi.graph.split(x, indices_or_sections, axis),
    gradient=lambda a: (apply("concat", a.gradient, axis=a.call.attrs["axis"]),),
    doc="Split along an axis into equal sections, or at indices.",
)
squeeze = Operator(
    "squeeze",
    "x: Expr, axis: ints | None = None",
    _infer_squeeze,
    mixed_precision="follow",
    layout="squeeze",
    reference=lambda np, x, axis: np.squeeze(x, axis),
    legalize=lambda topi, x, axis: topi.squeeze(x, axis),
    doc="Remove axes of extent 1: the given ones, or all.",
)
stack = Operator(
    "stack",
    "tensors: Tuple, axis: int | None = 0",
    _infer_stack,
    reference=lambda np, tensors, axis: np.stack(tensors, axis or 0),
    legalize=lambda topi, tensors, axis: topi.stack(tensors, axis or 0),
    doc="Join tensors of one shape along a new axis.",
)
tile = Operator(
    "tile",
    "data: Expr, repeats: ints",
    _infer_tile,
    reference=lambda np, x, repeats: np.tile(x, repeats),
    legalize=lambda topi, x, repeats: topi.tile(x, repeats),
    doc="Repeat the whole tensor along each axis; repeats align with the last axes.",
)
