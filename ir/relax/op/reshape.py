"""Reshape, flatten, and layout transformation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.core import Span
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.expr import Call, PrimValue
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.adjoint import apply
from tvmscript.ir.relax.op.axis_mapping import map_reshape_axes
from tvmscript.ir.relax.op.script_functions import make_call
from tvmscript.ir.relax.operator import Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import simplify_size
from tvmscript.ir.tir import Expr, IntImm, substitute
from tvmscript.ir.tir.intrin.control import if_then_else
from tvmscript.ir.tir.operators import as_expr, floordiv


def _infer_flatten(call: Call) -> StructInfo:
    info = rules.expect_tensor(call)
    if info.ndim == 1:
        return info
    if info.ndim == 0:
        return rules.tensor_of_shape([rules.ONE], info.dtype, info.vdevice)
    extents = info.extents
    return rules.make_tensor(None if extents is None else (rules.num_elements(extents),), 1, info.dtype, info.vdevice)


def _infer_reshape(call: Call) -> StructInfo:
    info = rules.expect_tensor(call)
    target = rules.expect_shape(call, 1).values
    # equal factors, the common case, need no proof
    if info.extents is not None and target is not None and _factor_key(info.extents) != _factor_key(target):
        before, after = rules.num_elements(info.extents), rules.num_elements(target)
        if rules.provably_differ(before, after):
            raise invalid_argument(
                call, 1, f"a shape of {simplify_size(before)} elements", f"one of {simplify_size(after)}"
            )
    return TensorStructInfo(rules.resolve_shape_argument(call, 1), info.dtype, vdevice=info.vdevice)


def _factor_key(extents: Sequence[Expr]) -> tuple[int, list[int]]:
    """Return the product of the constant extents and the identities of the others."""
    constants = [extent.value for extent in extents if isinstance(extent, IntImm)]
    return math.prod(constants), sorted(id(extent) for extent in extents if not isinstance(extent, IntImm))


def _script_reshape(x: object, shape: object, span: Span | None = None) -> Call:
    """Return the elements of x in another shape.

    An extent of 0 copies the extent of x at the same position; one extent may be -1, for the remaining elements.
    """
    if isinstance(shape, (list, tuple)):
        shape = _solve_shape(x, shape, span)
    return make_call(reshape, (x, shape), span=span)


def _solve_shape(x: object, shape: Sequence[object], span: Span | None) -> list[Any]:
    """Replace 0 and -1 in the shape. Raises `InvalidCall`."""
    numbers = [extent.value if isinstance(extent, IntImm) else extent for extent in shape]
    constants = [extent for extent in numbers if isinstance(extent, int)]
    if all(extent > 0 for extent in constants):
        return list(shape)
    if min(constants) < -1:
        raise _invalid_shape("positive extents, 0 and -1", min(constants), span)
    if constants.count(-1) > 1:
        raise _invalid_shape("one -1", constants.count(-1), span)
    old = _extents_of(x)
    if old is None:
        raise _invalid_shape("positive extents, as the shape of x is unknown", list(shape), span)
    extents: list[object] = []
    for axis, each in enumerate(numbers):
        if each == 0 and axis >= len(old):
            raise _invalid_shape(f"0 for one of the {len(old)} extents of x", f"0 at position {axis}", span)
        extents.append(old[axis] if each == 0 else each)
    if -1 in constants:
        kept = {axis for axis, each in enumerate(numbers) if each == 0}
        whole = rules.num_elements([extent for axis, extent in enumerate(old) if axis not in kept])
        rest = rules.num_elements(
            [as_expr(each, rules.ONE.dtype) for axis, each in enumerate(extents) if each != -1 and axis not in kept]
        )
        extents[numbers.index(-1)] = simplify_size(floordiv(whole, rest))
    return extents


def _extents_of(x: object) -> Sequence[Expr] | None:
    info = x.struct_info if isinstance(x, RelaxExpr) else None
    return info.extents if isinstance(info, TensorStructInfo) else None


def _invalid_shape(expected: str, got: object, span: Span | None) -> InvalidCall:
    return InvalidCall(operator="R.reshape", argument="shape", expected=expected, got=got, span=span)


def _infer_layout_transform(call: Call) -> StructInfo:
    info = rules.expect_tensor(call)
    index_map: IndexMap = call.attrs["index_map"]
    pad_value = call.attrs["pad_value"]
    if isinstance(pad_value, PrimValue) and pad_value.value.dtype is not info.dtype:
        raise invalid_argument(call, "pad_value", f"a number of {info.dtype}", pad_value.value.dtype)
    if info.ndim not in (UNKNOWN_NDIM, len(index_map.initial_indices)):
        raise invalid_argument(call, "index_map", f"a map of {info.ndim} indices", len(index_map.initial_indices))
    if info.extents is None:
        return rules.tensor_of_ndim(len(index_map.final_indices), info.dtype, info.vdevice)
    return rules.tensor_of_shape(index_map.map_shape(info.extents), info.dtype, info.vdevice)


def _script_layout_transform(
    x: object,
    index_map: IndexMap | Callable[..., Any],
    pad_value: object = None,
    axis_separators: object = None,
    input_axis_separators: object = None,
    span: Span | None = None,
) -> Call:
    """Return the tensor in the layout that `index_map` maps to; padding is filled with `pad_value`.

    A Python number as `pad_value` has the tensor's dtype.
    """
    if not isinstance(index_map, IndexMap):
        index_map = IndexMap.from_func(index_map, _rank_of(x), index_dtype="int64", span=span)
    if isinstance(pad_value, (int, float)):
        info = x.struct_info if isinstance(x, RelaxExpr) else None
        pad_value = PrimValue(as_expr(pad_value, info.dtype if isinstance(info, TensorStructInfo) else None))
    values = (x, index_map, pad_value, axis_separators or (), input_axis_separators or ())
    return make_call(layout_transform, values, span=span)


def _rank_of(x: object) -> int | None:
    extents = _extents_of(x)
    return None if extents is None else len(extents)


def _expand_flatten(_: object, call: Call) -> Call:
    info = call.struct_info
    assert isinstance(info, TensorStructInfo)
    assert info.shape is not None
    return Call(reshape, (call.args[0], info.shape))


flatten = Operator(
    "flatten",
    "x: Expr",
    _infer_flatten,
    mixed_precision="follow",
    reference=lambda np, x: np.reshape(x, -1),
    expand=_expand_flatten,
    doc="All elements in one dimension, in row-major order.",
)


def _legalize_layout_transform(
    topi: Any, x: Any, index_map: IndexMap, pad_value: PrimValue | None, *separators: Any
) -> Any:
    """Return the kernel of the tensor in another layout: each element is read at its former indices."""
    from tvmscript.ir.topi.common import define  # graphs are read without the inventory

    inverse, padding = index_map.non_surjective_inverse(x.shape)
    is_padded = not isinstance(padding, IntImm) or padding.value
    pad = as_expr(0, x.dtype) if pad_value is None else pad_value.value

    def element(*indices: Expr) -> Expr:
        value: Expr = x(*inverse.map_indices(indices))
        is_padding = substitute(padding, dict(zip(inverse.initial_indices, indices, strict=True)))
        return if_then_else(is_padding, pad, value) if is_padded else value

    name = "te_layout_transform" if pad_value is None else "te_layout_transform_with_pad"
    return define(index_map.map_shape(x.shape), element, name, prefix="axis")


layout_transform = Operator(
    "layout_transform",
    "x: Expr, index_map: any, pad_value: any = None, axis_separators: ints = ()",
    _infer_layout_transform,
    v0_27_parameters="input_axis_separators: ints = ()",
    script_function=_script_layout_transform,
    mixed_precision="follow",
    legalize=_legalize_layout_transform,
    kernel_name=lambda call: "te_layout_transform" + ("" if call.attrs["pad_value"] is None else "_with_pad"),
    doc="The tensor in another layout, given by an index map.",
)
reshape = Operator(
    "reshape",
    "x: Expr, shape: Shape",
    _infer_reshape,
    script_function=_script_reshape,
    mixed_precision="follow",
    mapped_axes=map_reshape_axes,
    reference=lambda np, x, shape: np.reshape(x, shape),
    legalize=lambda topi, x, shape: topi.reshape(x, shape),
    gradient=lambda a: (apply("reshape", a.gradient, a.extents()), None),
    doc="The elements in row-major order in another shape.",
)
