"""Compute nodes whose inputs are few known numbers, or expressions of sizes: a graph's arithmetic of shapes.

`Shape -> Gather -> Mul -> Concat -> Reshape` becomes a shape, not tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tvmscript.frontend.onnx.element_types import DTYPES
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.values import FOLDED_ELEMENTS, Array, Known, Value, as_size, is_symbolic, known_value
from tvmscript.ir.arith.python_operators import FUNCTIONS
from tvmscript.ir.relax.expr import Constant
from tvmscript.ir.relax.symbolic_shape import provably_equal
from tvmscript.ir.tir import Expr, IntImm, as_expr

Rule = Callable[..., Any]


def fold(node: Node) -> Value:
    """Return the output of a node that can be computed now, None otherwise."""
    rule = _RULES.get(node.op_type) if node.domain in ("", "ai.onnx") else None
    if rule is None or not node.inputs or any(value is None for value in node.inputs[:1]):
        return None
    arrays = [node.array(index) for index in range(len(node.inputs))]
    if any(array is None and node.has(index) for index, array in enumerate(arrays)):
        return None
    symbolic = [array is not None and is_symbolic(array) for array in arrays]
    if (any(symbolic) and node.op_type not in _SYMBOLIC) or (node.op_type == "Mod" and node.integer("fmod", 0)):
        return None
    with np.errstate(all="ignore"):
        result = rule(node, *arrays)
    if result is None or np.size(result) > FOLDED_ELEMENTS:
        return None
    return known_value(result, _result_dtype(node) if any(symbolic) else None)


def _result_dtype(node: Node) -> str | None:
    if node.op_type == "Cast":
        return DTYPES.get(node.integer("to"))
    dtypes = [value.dtype for value in node.inputs if isinstance(value, Known)]
    return None if node.op_type in ("Equal",) else dtypes[0]


def _per_element(function: Callable[[Any, Any], Any]) -> Rule:
    """Return the rule of a function of two numbers or expressions."""

    def rule(node: Node, a: Array, b: Array) -> Array:
        left, right = np.broadcast_arrays(a, b)
        result = np.empty(left.shape, object)
        for place in np.ndindex(left.shape):
            result[place] = as_size(function(_plain(left[place]), _plain(right[place])))
        return result

    return rule


def _plain(item: Any) -> Any:
    return item.item() if isinstance(item, np.generic) else item


def _binary(numbers: Rule, expressions: Callable[[Any, Any], Any]) -> Rule:
    symbolic = _per_element(expressions)

    def rule(node: Node, a: Array, b: Array) -> Any:
        if is_symbolic(a) or is_symbolic(b):
            return symbolic(node, a, b)
        result = numbers(a, b) if a.dtype == b.dtype else None
        return None if result is None else np.asarray(result)

    return rule


def _quotient(a: Array, b: Array) -> Any:
    if not np.issubdtype(a.dtype, np.integer):
        return np.divide(a, b)
    if not b.all():
        return None
    return (np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))).astype(a.dtype)


def _remainder(a: Array, b: Array) -> Any:
    return np.mod(a, b) if b.all() else None


def _equal(node: Node, a: Array, b: Array) -> Any:
    if not (is_symbolic(a) or is_symbolic(b)):
        return np.equal(a, b)
    left, right = np.broadcast_arrays(a, b)
    result = np.empty(left.shape, bool)
    for place in np.ndindex(left.shape):
        x, y = as_size(left[place]), as_size(right[place])
        if isinstance(x, int) and isinstance(y, int):
            result[place] = x == y
        elif any(isinstance(size, int) and size < 0 for size in (x, y)):
            result[place] = False  # sizes are not negative
        elif provably_equal(as_expr(x), as_expr(y)):
            result[place] = True
        else:
            return None
    return result


def _where(node: Node, condition: Array, a: Array, b: Array) -> Any:
    chosen, x, y = np.broadcast_arrays(condition, a, b)
    result = np.empty(chosen.shape, object if is_symbolic(a) or is_symbolic(b) else a.dtype)
    for place in np.ndindex(chosen.shape):
        result[place] = x[place] if chosen[place] else y[place]
    return result


def _gather(node: Node, data: Array, indices: Array) -> Any:
    return np.take(data, indices.astype("int64"), node.integer("axis", 0))


def _slice(node: Node, data: Array, *bounds: Array | None) -> Any:
    if node.version < 10:
        starts, ends = node.integers("starts"), node.integers("ends")
        axes, steps = node.integers("axes", range(len(starts))), [1] * len(starts)
    else:
        lists = [None if bound is None else bound.reshape(-1) for bound in bounds]
        if any(items is not None and is_symbolic(items) for items in lists):
            return None
        starts, ends = ([int(item) for item in items] for items in lists[:2] if items is not None)
        axes = [int(item) for item in lists[2]] if len(lists) > 2 and lists[2] is not None else list(range(len(starts)))
        steps = [int(item) for item in lists[3]] if len(lists) > 3 and lists[3] is not None else [1] * len(starts)
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        place: list[Any] = [slice(None)] * data.ndim
        place[axis] = slice(start, None if step < 0 and end < -data.shape[axis] else end, step)
        data = data[tuple(place)]
    return data


def _concat(node: Node, *arrays: Array) -> Any:
    return np.concatenate([array.astype(object) if any(map(is_symbolic, arrays)) else array for array in arrays],
                          node.integer("axis", 1))  # fmt: skip


def _unsqueeze(node: Node, data: Array, *_: Any) -> Any:
    axes = node.ints_or(1, "axes") or []
    return np.expand_dims(data, tuple(axes))


def _squeeze(node: Node, data: Array, *_: Any) -> Any:
    axes = node.ints_or(1, "axes")
    return np.squeeze(data, tuple(axes) if axes else None)


def _reshape(node: Node, data: Array, *_: Any) -> Any:
    shape = node.ints_or(1, "shape") or []
    if not node.integer("allowzero", 0):
        shape = [data.shape[index] if size == 0 else size for index, size in enumerate(shape)]
    return data.reshape(shape)


def _cast(node: Node, data: Array) -> Any:
    target = node.attrs.get("to")
    dtype = DTYPES.get(target) if isinstance(target, int) else None
    if is_symbolic(data):
        return data if dtype in ("int64", "int32") else None
    numeric = ("bool", "int32", "int64", "float32", "float64", "float16")
    return data.astype(dtype) if dtype in numeric and str(data.dtype) in numeric else None


def _product(node: Node, data: Array, *_: Any) -> Any:
    axes = node.ints_or(1, "axes")
    keepdims = bool(node.integer("keepdims", 1))
    if axes is None and node.integer("noop_with_empty_axes", 0):
        return data
    return np.asarray(np.prod(data, axis=tuple(axes) if axes else None, keepdims=keepdims))


def _sum(node: Node, data: Array, *_: Any) -> Any:
    axes = node.ints_or(1, "axes")
    if axes is None and node.integer("noop_with_empty_axes", 0):
        return data
    total = np.sum(data, axis=tuple(axes) if axes else None, keepdims=bool(node.integer("keepdims", 1)))
    return np.asarray(total, data.dtype)


def _range(node: Node, start: Array, limit: Array, step: Array) -> Any:
    count = max(0, int(np.ceil((limit.item() - start.item()) / step.item())))
    return None if count > FOLDED_ELEMENTS else (start + step * np.arange(count)).astype(start.dtype)


def _constant_of_shape(node: Node, shape: Array) -> Any:
    value = node.attrs.get("value")
    fill = value.data.reshape(-1)[0] if isinstance(value, Constant) and isinstance(value.data, np.ndarray) else None
    if value is not None and fill is None:
        return None
    fill = np.float32(0) if fill is None else fill
    if shape.dtype.kind not in "iu" or shape.size > 32 or np.prod(shape.astype(float)) > FOLDED_ELEMENTS:
        return None
    return np.full(tuple(shape.reshape(-1).tolist()), fill)


def _expand(node: Node, data: Array, shape: Array) -> Any:
    if is_symbolic(shape) or np.prod(shape.astype(float)) * max(data.size, 1) > FOLDED_ELEMENTS:
        return None
    if shape.dtype.kind not in "iu":
        raise node.invalid(f"its shape has elements of {shape.dtype}")
    return np.array(np.broadcast_to(data, np.broadcast_shapes(data.shape, tuple(shape.reshape(-1).tolist()))))


def _variadic(numbers: Rule, expressions: Callable[[Any, Any], Any]) -> Rule:
    pair = _binary(numbers, expressions)

    def rule(node: Node, first: Array, *rest: Array) -> Any:
        result: Array | None = first
        for array in rest:
            result = None if result is None else pair(node, result, array)
        return result

    return rule


def _extremum(expressions: Callable[[Any, Any], Any], plain: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def choose(a: Any, b: Any) -> Any:
        is_number = not isinstance(a, Expr) and not isinstance(b, Expr)
        return plain(a, b) if is_number else expressions(_expr(a), _expr(b))

    return choose


def _expr(value: Any) -> Expr:
    return value if isinstance(value, Expr) else IntImm("int64", int(value))


#: operator -> its outputs from arrays
_RULES: Final[dict[str, Rule]] = {
    "Add": _binary(np.add, lambda a, b: a + b),
    "Sub": _binary(np.subtract, lambda a, b: a - b),
    "Mul": _binary(np.multiply, lambda a, b: a * b),
    "Div": _binary(_quotient, lambda a, b: a // b),
    "Max": _variadic(np.maximum, _extremum(FUNCTIONS["max"], max)),
    "Min": _variadic(np.minimum, _extremum(FUNCTIONS["min"], min)),
    "Mod": _binary(_remainder, lambda a, b: a % b),
    "Equal": _equal,
    "Greater": lambda node, a, b: np.greater(a, b),
    "Less": lambda node, a, b: np.less(a, b),
    "GreaterOrEqual": lambda node, a, b: np.greater_equal(a, b),
    "LessOrEqual": lambda node, a, b: np.less_equal(a, b),
    "And": lambda node, a, b: np.logical_and(a, b),
    "Or": lambda node, a, b: np.logical_or(a, b),
    "Not": lambda node, a: np.logical_not(a),
    "Neg": lambda node, a: None if a.dtype == bool else np.negative(a),
    "Abs": lambda node, a: np.abs(a),
    "Floor": lambda node, a: np.floor(a),
    "Ceil": lambda node, a: np.ceil(a),
    "Sqrt": lambda node, a: np.sqrt(a),
    "Reciprocal": lambda node, a: np.reciprocal(a),
    "Where": _where,
    "Gather": _gather,
    "Slice": _slice,
    "Concat": _concat,
    "Unsqueeze": _unsqueeze,
    "Squeeze": _squeeze,
    "Reshape": _reshape,
    "Cast": _cast,
    "Identity": lambda node, data: data,
    "ReduceProd": _product,
    "ReduceSum": _sum,
    "Range": _range,
    "ConstantOfShape": _constant_of_shape,
    "Expand": _expand,
    "Size": lambda node, data: np.array(data.size, "int64"),
    "Shape": lambda node, data: np.array(data.shape, "int64")[_shape_bounds(node, data.ndim)],
    "Transpose": lambda node, data: np.transpose(data, node.integers("perm") if "perm" in node.attrs else None),
}
#: those that take expressions among the numbers
_SYMBOLIC: Final = frozenset(
    ("Add", "Sub", "Mul", "Div", "Mod", "Max", "Min", "Equal", "Where", "Gather", "Slice", "Concat", "Unsqueeze",
     "Squeeze", "Reshape", "Cast", "Identity", "ReduceProd", "ReduceSum", "Size", "Shape", "Expand")
)  # fmt: skip


def _shape_bounds(node: Node, rank: int) -> slice:
    """Return the range of dimensions that a node Shape returns."""
    return slice(node.integer("start", 0), node.integer("end", rank))
