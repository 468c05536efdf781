"""Matrix products, Einstein summation, and outer products."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.core import VOID
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.adjoint import Adjoint, apply
from tvmscript.ir.relax.op.axis_mapping import map_matmul_axes
from tvmscript.ir.relax.operator import Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import provably_equal, simplify_size
from tvmscript.ir.tir import Expr, IntImm
from tvmscript.ir.tir.operators import maximum


def _infer_matmul(call: Call) -> StructInfo:
    left, right = rules.expect_tensor(call, 0), rules.expect_tensor(call, 1)
    vdevice = rules.unify_vdevices(call, (left, right))
    dtype = call.attrs["out_dtype"]
    if dtype is VOID:
        dtype = rules.common_dtype(call, (0, 1), (left.dtype, right.dtype))
    for position, operand in enumerate((left, right)):
        if operand.ndim == 0:
            raise invalid_argument(call, position, "a tensor of at least one dimension", "a scalar")
    if UNKNOWN_NDIM in (left.ndim, right.ndim):
        return rules.tensor_of_ndim(UNKNOWN_NDIM, dtype, vdevice)
    rows, columns = left.ndim > 1, right.ndim > 1
    ndim = max(left.ndim + (not rows), right.ndim + (not columns)) - (not rows) - (not columns)
    if left.extents is None or right.extents is None:
        return rules.tensor_of_ndim(ndim, dtype, vdevice)
    a, b = left.extents, right.extents
    inner = b[-2] if columns else b[-1]
    if rules.provably_differ(a[-1], inner):
        raise invalid_argument(call, 1, f"{a[-1]} rows, as many as x1 has columns", inner)
    outer = rules.broadcast_extents(call, 1, a[:-2], b[:-2])
    if outer is None:
        return rules.tensor_of_ndim(ndim, dtype, vdevice)
    return rules.tensor_of_shape([*outer, *(a[-2:-1] if rows else ()), *(b[-1:] if columns else ())], dtype, vdevice)


def _infer_einsum(call: Call) -> StructInfo:
    operands = rules.expect_tensors(call)
    dtype = operands[0].dtype
    for operand in operands:
        if operand.dtype is not dtype:
            raise invalid_argument(call, 0, "tensors of one dtype", f"{dtype} and {operand.dtype}")
    vdevice = rules.unify_vdevices(call, operands)
    inputs, output = _parse_subscripts(call, len(operands))
    shapes: list[Sequence[Expr]] = []
    for operand, letters in zip(operands, inputs, strict=True):
        if operand.extents is None:
            return rules.tensor_of_ndim(operand.ndim, dtype, vdevice)
        _check_rank(call, letters, operand)
        shapes.append(operand.extents)
    extents = _extents_by_letter(call, inputs, shapes)
    wide = _ellipsis_extents(call, inputs, shapes)
    result_extents: list[Expr] = []
    for letter in output:
        result_extents += wide if letter == "." else [extents[letter]]
    return rules.tensor_of_shape(result_extents, dtype, vdevice)


def _infer_outer(call: Call) -> StructInfo:
    left, right = rules.expect_tensor(call, 0), rules.expect_tensor(call, 1)
    for position, operand in enumerate((left, right)):
        if operand.ndim != 1:
            raise invalid_argument(call, position, "a tensor of 1 dimension", operand.ndim)
    vdevice = rules.unify_vdevices(call, (left, right))
    if left.extents is None or right.extents is None:
        return rules.tensor_of_ndim(2, left.dtype, vdevice)
    return rules.tensor_of_shape((*left.extents, *right.extents), left.dtype, vdevice)


def _parse_subscripts(call: Call, count: int) -> tuple[list[str], str]:
    """Return the letters of each operand and of the result, with `.` for an ellipsis. Raises `InvalidCall`."""
    text = call.attrs["subscripts"]
    sides = text.replace(" ", "").replace("...", ".").split("->")
    inputs = sides[0].split(",")
    letters = "".join([*inputs, *sides[1:]]).replace(".", "")
    if len(sides) > 2 or not all(letter.isalpha() for letter in letters):
        raise invalid_argument(call, "subscripts", "letters and an arrow", text)
    if any(part.count(".") > 1 for part in [*inputs, *sides[1:]]):
        raise invalid_argument(call, "subscripts", "one ellipsis for each operand", text)
    if len(inputs) != count:
        raise invalid_argument(call, "subscripts", f"{count} operands", text)
    if len(sides) == 1:
        once = sorted(letter for letter in set(letters) if letters.count(letter) == 1)
        return inputs, "." * any("." in part for part in inputs) + "".join(once)
    for letter in sides[1]:
        if not any(letter in part for part in inputs):
            raise invalid_argument(call, "subscripts", "a result of letters of the operands", text)
    return inputs, sides[1]


def _check_rank(call: Call, letters: str, info: TensorStructInfo) -> None:
    least = len(letters.replace(".", ""))
    if info.ndim != least and not ("." in letters and info.ndim > least):
        raise invalid_argument(
            call, "subscripts", f"{info.ndim} letters for an operand of {info.ndim} dimensions", letters
        )


def _extents_by_letter(call: Call, inputs: Sequence[str], shapes: Sequence[Sequence[Expr]]) -> dict[str, Expr]:
    """Return the extent of each letter."""
    extent_of: dict[str, Expr] = {}
    for letters, extents in zip(inputs, shapes, strict=True):
        before, _, after = letters.partition(".")
        ends = [*zip(before, extents, strict=False), *zip(reversed(after), reversed(extents), strict=False)]
        for letter, extent in ends:
            extent_of[letter] = (
                _broadcast_extent(call, repr(letter), extent_of[letter], extent) if letter in extent_of else extent
            )
    return extent_of


def _broadcast_extent(call: Call, what: str, a: Expr, b: Expr) -> Expr:
    """Broadcast two extents. Of unequal ones, a constant other than 1 wins over a symbolic extent; else the maximum."""
    if provably_equal(a, b) or rules.is_one(b):
        return a
    if rules.is_one(a):
        return b
    if isinstance(a, IntImm) and isinstance(b, IntImm):
        raise invalid_argument(call, 0, f"equal extents for {what}", f"{a.value} and {b.value}")
    if isinstance(a, IntImm) or isinstance(b, IntImm):
        return a if isinstance(a, IntImm) else b
    return simplify_size(maximum(a, b))


def _ellipsis_extents(call: Call, inputs: Sequence[str], shapes: Sequence[Sequence[Expr]]) -> list[Expr]:
    """Return the broadcast extents of the ellipses."""
    broadcast: list[Expr] = []
    for letters, extents in zip(inputs, shapes, strict=True):
        if "." not in letters:
            continue
        before, _, after = letters.partition(".")
        other = list(extents[len(before) : len(extents) - len(after)])
        longer, shorter = (broadcast, other) if len(broadcast) >= len(other) else (other, broadcast)
        split = len(longer) - len(shorter)
        ends = zip(longer[split:], shorter, strict=True)
        broadcast = longer[:split] + [_broadcast_extent(call, "an axis of the ellipsis", a, b) for a, b in ends]
    return broadcast


def _differentiate_matmul(adjoint: Adjoint) -> tuple[RelaxExpr | None, ...]:
    """Return gradient @ y^T and x^T @ gradient; vectors are matrices of one row or one column."""
    x, y, gradient = adjoint.x, adjoint.y, adjoint.gradient
    x_ndim, y_ndim = (rules.expect_tensor(adjoint.call, position).ndim for position in range(2))
    if (x_ndim, y_ndim) == (1, 1):
        return gradient * y, gradient * x
    if x_ndim == 1:
        gradient = adjoint.emit(apply("expand_dims", gradient, axis=-2))
    if y_ndim == 1:
        gradient = adjoint.emit(apply("expand_dims", gradient, axis=-1))
    of_x = apply("matmul", gradient, apply("expand_dims", y, axis=0) if y_ndim == 1 else _transpose(y, y_ndim))
    of_y = apply("matmul", apply("expand_dims", x, axis=1) if x_ndim == 1 else _transpose(x, x_ndim), gradient)
    if y_ndim == 1:
        of_y = apply("squeeze", of_y, axis=-1)
    return tuple([adjoint.sum_to_argument(value, position) for position, value in enumerate((of_x, of_y))])


def _transpose(matrix: RelaxExpr, ndim: int) -> RelaxExpr:
    """Exchange the last two axes."""
    return apply("permute_dims", matrix, [*range(ndim - 2), ndim - 1, ndim - 2])


matmul = Operator(
    "matmul",
    "x1: Expr, x2: Expr, out_dtype: dtype | None = None",
    _infer_matmul,
    mixed_precision="always",
    mapped_axes=map_matmul_axes,
    reference=lambda np, a, b, out_dtype: np.matmul(a, b).astype(a.dtype if out_dtype is VOID else out_dtype),
    legalize=lambda topi, a, b, out_dtype: topi.graph.matmul(a, b, out_dtype),
    gradient=_differentiate_matmul,
    doc="The matrix product over the last two axes; the axes before them broadcast.",
)
einsum = Operator(
    "einsum",
    "operands: Tuple, subscripts: str",
    _infer_einsum,
    reference=lambda np, operands, subscripts: np.einsum(subscripts, *operands),
    legalize=lambda topi, operands, subscripts: topi.einsum(subscripts, *operands),
    doc="Einstein summation: `ij,jk->ik` is the matrix product.",
)
outer = Operator(
    "outer",
    "x1: Expr, x2: Expr",
    _infer_outer,
    reference=lambda np, a, b: np.outer(a, b).astype(a.dtype),
    legalize=lambda topi, a, b: topi.graph.outer(a, b),
    doc="The outer product of two vectors.",
)
