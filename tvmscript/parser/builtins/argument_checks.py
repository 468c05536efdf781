"""Checks of arguments of builtins."""

from __future__ import annotations

from tvmscript.ir.core import BOOL, DType, Span, WrongType, closest
from tvmscript.ir.tir import BufferRegion, Expr, IntImm, StringImm, operators
from tvmscript.ir.tir.scalable_vectors import scalable_lanes
from tvmscript.ir.tir.slices import region_load
from tvmscript.parser.diagnostics.errors import GivenTwice


def integer(where: str, given: object) -> int:
    """Return a constant integer. Raises `WrongType`."""
    if isinstance(given, IntImm):
        return given.value
    if isinstance(given, int):
        return given
    raise WrongType(where=where, expected="a constant integer", got=repr(given))


def value_of(given: object, span: Span | None, dtype: DType | None = None) -> Expr:
    """Convert a value to an expression; a region becomes a vector. Raises `WrongType`."""
    return region_load(given) if isinstance(given, BufferRegion) else operators.as_expr(given, dtype, span)


def condition_of(where: str, given: object, span: Span | None) -> Expr:
    """Return a scalar bool expression. Raises `WrongType`."""
    condition = operators.as_expr(bool(given) if isinstance(given, int) else given, None, span)
    if condition.dtype is not BOOL:
        hint = "write != 0 after it" if condition.dtype.is_integer else None
        raise WrongType(where=where, expected="a condition", got=repr(given), span=span, hint=hint)
    return condition


def truth_of(where: str, given: object, span: Span | None) -> Expr:
    """Return a scalar bool expression; an integer is compared with 0. Raises `WrongType`."""
    if isinstance(given, Expr) and given.dtype.is_integer and given.dtype.lanes == 1 and given.dtype is not BOOL:
        condition: Expr = operators.ne(given, 0, span)
        return condition
    return condition_of(where, given, span)


def mask_of(where: str, given: object, span: Span | None) -> Expr:
    """Return a bool expression, which may be a vector. Raises `WrongType`."""
    mask = value_of(bool(given) if isinstance(given, int) else given, span)
    if mask.dtype.element is not BOOL:
        hint = "write != 0 after it" if mask.dtype.is_integer else None
        raise WrongType(where=where, expected="a condition", got=repr(given), span=span, hint=hint)
    return mask


def extent_of(where: str, given: object, span: Span | None, dtype: DType | None = None) -> Expr:
    """Return a scalar integer expression. Raises `WrongType`."""
    extent = operators.as_expr(given, dtype if isinstance(given, int) else None, span)
    if not extent.dtype.is_integer or extent.dtype.lanes != 1:
        raise WrongType(where=where, expected="integers", got=repr(given), span=span)
    return extent


def lane_count(where: str, given: object) -> int:
    """Return a number of lanes: positive, or -4 for `T.vscale() * 4`. Raises `WrongType`."""
    scalable = scalable_lanes(given) if isinstance(given, Expr) else None
    if scalable is not None:
        return scalable
    count = integer(f"the lanes of {where}", given)
    if count < 1:
        raise WrongType(where=f"the lanes of {where}", expected="a positive number", got=count)
    return count


def text(where: str, given: object) -> str:
    """Return a string. Raises `WrongType`."""
    if isinstance(given, StringImm):
        return given.value
    if isinstance(given, str):
        return given
    raise WrongType(where=where, expected="a string", got=repr(given))


def thread_tag_of(given: object, span: Span, where: str = "a thread axis") -> str:
    """Return the tag of a thread axis. Raises `WrongType`; tags of other devices are free."""
    if not isinstance(given, str):
        raise WrongType(where=where, expected='a name such as "threadIdx.x"', got=repr(given), span=span)
    name, _, dimension = given.partition(".")
    if name in ("blockIdx", "threadIdx") and dimension not in ("x", "y", "z"):
        expected = ", ".join(f"{name}.{letter}" for letter in "xyz")
        hint = closest(given, [f"{name}.{letter}" for letter in "xyz"])
        raise WrongType(where=where, expected=f"one of {expected}", got=repr(given), span=span, hint=hint)
    return given


def merge_attributes(
    where: str, old: dict[str, object] | None, given: dict[str, object], span: Span
) -> dict[str, object]:
    """Return the attributes of a function, `old`, with more of them. Raises `GivenTwice` for a key that it has."""
    if old is None:
        return given
    for key, value in given.items():
        if key in old:
            raise GivenTwice(what=f"the attribute {key} of {where}", span=span)
        old[key] = value
    return old
