"""Integers, shapes, layouts and schedules, for those who write operators: TVM's `topi.utils`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from tvmscript.ir.te.schedule.schedule import Schedule
from tvmscript.ir.te.tensor import ComputeOp, Extent, Operation
from tvmscript.ir.tir import Expr, FloatImm, IntImm
from tvmscript.ir.tir.ir_builder import unravel_position
from tvmscript.ir.topi.common import BROADCAST, ELEMWISE, known_int, product
from tvmscript.ir.topi.common import simplify as simplify_extent
from tvmscript.ir.topi.errors import InvalidOperand

T = TypeVar("T")


class InvalidShapeError(ValueError):
    """Shapes that a template of an operator does not take; for scripts to raise."""


def simplify(expr: Extent) -> Extent:
    """Return an expression in its simplest form, a constant as a Python integer."""
    simple = simplify_extent(expr)
    return simple.value if isinstance(simple, IntImm) else simple


def get_const_int(expr: Extent) -> int:
    """Return the integer that an expression is. Raises `InvalidOperand`."""
    integer = known_int(expr) if not isinstance(expr, FloatImm) else None
    if integer is None:
        raise InvalidOperand(where="utils.get_const_int", reason=f"{expr} is no constant integer")
    return integer


def get_const_float(expr: Expr | float) -> float:
    """Return the number that an expression is. Raises `InvalidOperand`."""
    number = expr.value if isinstance(expr, FloatImm) else expr
    if not isinstance(number, float):
        raise InvalidOperand(where="utils.get_const_float", reason=f"{expr} is no constant float")
    return number


def get_const_tuple(in_tuple: Sequence[Extent]) -> tuple[Extent, ...]:
    """Return extents as Python integers, simplified where they are not constant."""
    return tuple(simplify(extent) for extent in in_tuple)


def get_float_tuple(in_tuple: Sequence[Expr | float]) -> tuple[float, ...]:
    """Return constants as Python floats. Raises `InvalidOperand`."""
    return tuple(get_const_float(number) for number in in_tuple)


def equal_const_int(expr: Extent, value: int) -> bool:
    """Return whether an expression is an integer."""
    return known_int(expr) == value


def is_empty_shape(shape: Sequence[Extent]) -> bool:
    """Return whether an extent is 0."""
    return any(known_int(extent) == 0 for extent in shape)


def is_dynamic_shape(shape: Sequence[Extent]) -> bool:
    """Return whether an extent is not known."""
    return any(known_int(extent) is None for extent in shape)


def prod(x: Sequence[Extent]) -> Extent:
    """Return the product of extents, 1 of none."""
    return product(x)


def ceil_div(a: Extent, b: Extent) -> Extent:
    """Return `a / b`, rounded up."""
    return simplify((a + b - 1) // b)


def ravel_index(indices: Sequence[Extent], shape: Sequence[Extent]) -> Extent:
    """Return numpy.ravel_multi_index."""
    position = indices[0]
    for index, extent in zip(indices[1:], shape[1:], strict=True):
        position = position * extent + index
    return position


def unravel_index(idx: Extent, shape: Sequence[Extent]) -> list[Extent]:
    """Return numpy.unravel_index."""
    if isinstance(idx, Expr):
        return list(unravel_position(idx, shape))
    indices: list[Extent] = []
    for extent in reversed(shape[1:]):
        indices.insert(0, idx % extent)
        idx = idx // extent
    return [idx, *indices]


def get_max_power2_factor(n: int, max_value: int | None = None) -> int:
    """Return the largest power of 2 that divides an integer and is at most `max_value`."""
    factor = 1
    while n % (factor * 2) == 0 and (max_value is None or factor * 2 <= max_value):
        factor *= 2
    return factor


def swap(arr: Sequence[T], axis: int) -> list[T]:
    """Return a list with the element at a place and the last one exchanged."""
    result = list(arr)
    result[axis], result[-1] = result[-1], result[axis]
    return result


def get_shape(src_shape: Sequence[Extent], src_layout: str, dst_layout: str) -> tuple[Extent, ...]:
    """Return a shape in another layout of the same letters. Raises `InvalidOperand`."""
    if sorted(src_layout) != sorted(dst_layout) or len(src_shape) != len(src_layout):
        reason = f"{src_layout} and {dst_layout} are not layouts of {len(src_shape)} dimensions"
        raise InvalidOperand(where="utils.get_shape", reason=reason)
    return tuple(get_const_tuple([src_shape[src_layout.index(letter)] for letter in dst_layout]))


def _is_layout(text: str, begin: str, blocks: str) -> bool:
    """Return whether a layout is `begin` and blocks of sizes for each letter of `blocks`."""
    rest = text.removeprefix(begin)
    sizes = "".join(letter if letter.isalpha() else " " for letter in rest).split()
    return text.startswith(begin) and "".join(sizes) == blocks and rest[:1].isdigit() and len(sizes) == len(blocks)


def nchw_pack_layout(layout_info: str) -> bool:
    """Return whether a layout is one as `NCHW1n16c`."""
    return _is_layout(layout_info, "NCHW", "nc")


def nchw_xc_layout(layout_info: str) -> bool:
    """Return whether a layout is one as `NCHW4c`."""
    return _is_layout(layout_info, "NCHW", "c")


def ncw_pack_layout(layout_info: str) -> bool:
    """Return whether a layout is one as `NCW1n16c`."""
    return _is_layout(layout_info, "NCW", "nc")


def ncw_xc_layout(layout_info: str) -> bool:
    """Return whether a layout is one as `NCW4c`."""
    return _is_layout(layout_info, "NCW", "c")


def traverse_inline(s: Schedule, final_op: Operation, callback: Callable[[Operation], None]) -> None:
    """Inline the elementwise stages before an operation in a classic schedule, and call back for each operation."""
    visited: list[Operation] = []

    def visit(op: Operation) -> None:
        if any(op is other for other in visited):
            return
        visited.append(op)
        if op.tag.startswith((ELEMWISE, BROADCAST)):
            if not any(op is output for output in s.outputs):
                s[op].compute_inline()
            for tensor in op.input_tensors:
                if isinstance(tensor.op, ComputeOp):
                    visit(tensor.op)
        callback(op)

    visit(final_op)
