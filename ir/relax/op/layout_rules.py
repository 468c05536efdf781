"""How operators carry permuted axes of their tensors on: the rules that `Operator.layout` names.

A layout is the order of axes in which a tensor is stored: axis i of the stored tensor is axis `layout[i]` of the tensor
of the program. A tensor of NCHW that is stored as NHWC has the layout (0, 2, 3, 1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call, PrimValue, Tuple
from tvmscript.ir.relax.op.layout import parse_layout
from tvmscript.ir.relax.operator import invalid_argument
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir import IntImm

Permutation = tuple[int, ...]
#: layouts of the tensors of a value: a list for a tuple, None for a value of other kinds or of unknown rank
Layouts = Permutation | None | list["Layouts"]


@dataclass(frozen=True)
class LayoutInference:
    """A call over stored tensors."""

    #: layouts of the arguments
    inputs: Sequence[Layouts]
    output: Layouts
    #: attributes that change
    attrs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    #: arguments that change, by position
    args: Mapping[int, RelaxExpr] = field(default_factory=dict[int, RelaxExpr])


#: (call, layouts of its arguments, layouts that the user wants for the operator) -> the call over stored tensors, None
#: where its tensors must have the order of the program
LayoutRule = Callable[[Call, Sequence[Layouts], Sequence[str]], LayoutInference | None]


def identity(ndim: int) -> Permutation:
    """Return the layout of the program."""
    return tuple(range(ndim))


def permutation_between(call: Call, attribute: str, target: str) -> Permutation | None:
    """Return the layout that brings the axes of a layout attribute, such as NCHW, to the order of a target, such as
    NHWC. None where the attribute has inner axes.

    Raises `InvalidCall` where the target has other axes.
    """
    source = call.attrs[attribute]
    layout = parse_layout(source)
    if layout is None or len(layout.letters) != layout.ndim:
        return None
    if sorted(source) != sorted(target):
        raise invalid_argument(call, attribute, f"a layout with the axes of {source}, without inner axes", repr(target))
    return tuple([source.index(letter) for letter in target])


def _permute(letters: str, layout: Permutation) -> str:
    """Return a layout attribute over stored tensors."""
    return "".join([letters[axis] for axis in layout])


def _extend(layout: Permutation, ndim: int) -> Permutation:
    """Return the layout of a tensor of more dimensions whose last axes are those of a layout."""
    more = ndim - len(layout)
    return (*range(more), *[axis + more for axis in layout])


def _rank(layout: Permutation) -> Permutation:
    """Return the order of the axes that are left of a layout."""
    return tuple([sorted(layout).index(axis) for axis in layout])


def _others(call: Call, first: Sequence[Layouts]) -> list[Layouts]:
    """Return the layouts of all arguments: the first ones, then those of the program."""
    infos = [argument.struct_info for argument in call.args[len(first) :]]
    return [
        *first,
        *[identity(info.ndim) if isinstance(info, TensorStructInfo) and info.ndim >= 0 else None for info in infos],
    ]


def _first(layouts: Sequence[Layouts]) -> Permutation | None:
    """Return the layout of the first argument."""
    return layouts[0] if isinstance(layouts[0], tuple) else None


def _elementwise(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
    layout = _first(layouts)
    return None if layout is None else LayoutInference(_others(call, [layout]), layout)


def _binary(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
    """The operand of more dimensions follows the other one; of equal ranks, the second follows the first."""
    left, right = layouts
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        return None
    if not left or not right:
        return LayoutInference([left, right], left or right)
    if len(left) >= len(right) and len(left) != len(right):
        left = _extend(right, len(left))
        return LayoutInference([left, right], left)
    right = _extend(left, len(right))
    return LayoutInference([left, right], right)


def _ternary(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
    """All operands take the layout of the last two where it is the same, else that of the first."""
    ndims = {len(each) if isinstance(each, tuple) else -1 for each in layouts}
    layout = layouts[1] if layouts[1] == layouts[2] else layouts[0]
    return LayoutInference([layout] * 3, layout) if len(ndims) == 1 and isinstance(layout, tuple) else None


def _reduction(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
    layout = _first(layouts)
    if layout is None:
        return None
    axis = call.attrs["axis"]
    reduced = set(layout) if axis is None else {each % len(layout) for each in axis}
    axes = [place for place, each in enumerate(layout) if each in reduced]
    kept = _rank(tuple([each for each in layout if each not in reduced]))
    return LayoutInference([layout], layout if call.attrs["keepdims"] else kept, {"axis": tuple(axes)})


def _convolution(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
    """Without desired layouts, those of the arguments; the result has the layout of the data."""
    names = ("data_layout", "kernel_layout", "out_layout")
    targets = list(desired)
    permutations: list[Permutation | None] = []
    if desired:
        if len(desired) not in (2, 3):
            raise invalid_argument(call, "desired_layouts", "two or three layouts", len(desired))
        targets = [*desired, desired[0]][:3]
        permutations = [permutation_between(call, name, target) for name, target in zip(names, targets, strict=True)]
    else:
        for name, layout in zip(names, [*layouts, layouts[0]], strict=True):
            fits = isinstance(layout, tuple) and len(layout) == len(call.attrs[name])
            permutations.append(layout if fits and isinstance(layout, tuple) else None)
            targets.append(_permute(call.attrs[name], permutations[-1] or ()))
    if None in permutations:
        return None
    data, kernel, output = permutations
    return LayoutInference([data, kernel], output, dict(zip(names, targets, strict=True)))


def _layout_attributes(*names: str) -> LayoutRule:
    """Return the rule of operators whose only tensor has its layout in attributes."""

    def rule(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
        layout = _first(layouts)
        if layout is None or any(len(call.attrs[name]) != len(layout) for name in names):
            return None
        attrs = {name: _permute(call.attrs[name], layout) for name in names}
        return LayoutInference(_others(call, [layout]), layout, attrs)

    return rule


def _axes(name: str, *others: str) -> LayoutRule:
    """Return the rule of operators over axes that attributes name: one axis, or several."""

    def rule(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
        layout = _first(layouts)
        if layout is None:
            return None
        attrs: dict[str, Any] = {}
        for key in (name, *others):
            value = call.attrs[key]
            attrs[key] = (
                _place(layout, value) if isinstance(value, int) else tuple([_place(layout, axis) for axis in value])
            )
        return LayoutInference(_others(call, [layout]), layout, attrs)

    return rule


def _place(layout: Permutation, axis: int) -> int:
    """Return where an axis of the program is stored."""
    return layout.index(axis % len(layout))


def _batch_norm(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
    inference = _axes("axis")(call, layouts, desired)
    if inference is None:
        return None
    output: list[Layouts] = [inference.output, inference.inputs[3], inference.inputs[4]]
    return LayoutInference(inference.inputs, output, inference.attrs)


def _dropout(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
    layout = _first(layouts)
    return None if layout is None else LayoutInference([layout], [layout, layout])


def _concat(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
    (fields,) = layouts
    axis = call.attrs["axis"]
    if not isinstance(fields, list) or not fields or not isinstance(fields[0], tuple) or axis is None:
        return None
    if len({len(each) if isinstance(each, (tuple, list)) else -1 for each in fields}) != 1:
        return None
    layout = fields[0]
    inputs: list[Layouts] = [layout] * len(fields)
    return LayoutInference([inputs], layout, {"axis": _place(layout, axis)})


def _split(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
    layout = _first(layouts)
    if layout is None:
        return None
    output: list[Layouts] = [layout] * len(getattr(call.struct_info, "fields", ()))
    return LayoutInference([layout], output, {"axis": _place(layout, call.attrs["axis"])})


def _expand_dims(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
    """The new axes stand where they do in the program."""
    layout = _first(layouts)
    if layout is None:
        return None
    ndim = len(layout) + len(call.attrs["axis"])
    new = {axis % ndim for axis in call.attrs["axis"]}
    old = [axis for axis in range(ndim) if axis not in new]
    moved = iter([old[axis] for axis in layout])
    return LayoutInference([layout], tuple([axis if axis in new else next(moved) for axis in range(ndim)]))


def _squeeze(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
    layout = _first(layouts)
    info = call.args[0].struct_info
    extents = info.extents if isinstance(info, TensorStructInfo) else None
    axis = call.attrs["axis"]
    if layout is None or (axis is None and extents is None):
        return None
    if axis is None:
        removed = {
            place for place, extent in enumerate(extents or ()) if isinstance(extent, IntImm) and extent.value == 1
        }
    else:
        removed = {each % len(layout) for each in axis}
    axes = tuple([place for place, each in enumerate(layout) if each in removed])
    return LayoutInference([layout], _rank(tuple([each for each in layout if each not in removed])), {"axis": axes})


def _permute_dims(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
    """The result has the order of the program."""
    layout = _first(layouts)
    if layout is None:
        return None
    axes = call.attrs["axes"]
    order = tuple(reversed(range(len(layout)))) if axes is None else axes
    return LayoutInference([layout], identity(len(layout)), {"axes": tuple([_place(layout, axis) for axis in order])})


def _strided_slice(call: Call, layouts: Sequence[Layouts], desired: Sequence[str]) -> LayoutInference | None:
    layout = _first(layouts)
    axes = call.args[1]
    values = [field.value for field in axes.fields if isinstance(field, PrimValue)] if isinstance(axes, Tuple) else []
    numbers = [value.value for value in values if isinstance(value, IntImm)]
    if layout is None or not isinstance(axes, Tuple) or len(numbers) != len(axes.fields):
        return None
    places = Tuple(tuple([PrimValue(_place(layout, axis)) for axis in numbers]))
    return LayoutInference([layout, *layouts[1:]], layout, args={1: places})


#: name of a rule (`Operator.layout`) -> the rule
LAYOUT_RULES: Final[Mapping[str, LayoutRule]] = {
    "adaptive_pool": _layout_attributes("layout", "out_layout"),
    "batch_norm": _batch_norm,
    "binary": _binary,
    "concat": _concat,
    "conv": _convolution,
    "dropout": _dropout,
    "elementwise": _elementwise,
    "expand_dims": _expand_dims,
    "group_norm": _axes("channel_axis", "axes"),
    "layer_norm": _axes("axes"),
    "permute_dims": _permute_dims,
    "pool": _layout_attributes("layout", "out_layout"),
    "reduction": _reduction,
    "resize2d": _layout_attributes("layout"),
    "softmax": _axes("axis"),
    "split": _split,
    "squeeze": _squeeze,
    "strided_slice": _strided_slice,
    "ternary": _ternary,
}
