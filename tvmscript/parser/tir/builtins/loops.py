"""Loops that `for` iterates over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript.ir.core.attrs import attributes
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.span import Span
from tvmscript.ir.tir import operators
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.slices import range_extent
from tvmscript.ir.tir.stmt import ForKind
from tvmscript.parser.builtins.table import construct
from tvmscript.parser.frames import KernelReader, Loop, Loops


def make_loop(
    span: Span,
    kind: ForKind,
    start: object,
    stop: object,
    annotations: Mapping[str, object] | None = None,
    thread: str | None = None,
) -> Loop:
    """Return the loop from `start` to `stop`, or from 0 to `start`, in the wider of their dtypes."""
    low: object
    extent: Expr
    if stop is None:
        extent = bound(start, span)
        low = IntImm(extent.dtype, 0, span)
    else:
        low = bound(start, span, stop)
        extent = range_extent(low, bound(stop, span, start), span)
        if low.dtype is not extent.dtype:
            low, extent = operators.match_types(low, extent, "the ends of a loop", span)
    return Loop(low, extent, kind, attributes(annotations) if annotations is not None else None, thread)


def bound(value: object, span: Span, other: object = None) -> Expr:
    """Return a bound of a loop: a scalar integer. Raises `WrongType`."""
    dtype: DType | None = None
    if isinstance(other, Expr) and not isinstance(value, Expr) and other.dtype.is_integer:
        dtype = other.dtype
    if isinstance(value, bool | float) or not (isinstance(value, Expr) or hasattr(value, "__index__")):
        raise WrongType(where="a loop", expected="integers as its ends", got=repr(value), span=span)
    expr = operators.as_expr(value, dtype, span)
    if not expr.dtype.is_integer or expr.dtype.lanes != 1 or expr.dtype.is_bool:
        raise WrongType(where="a loop", expected="integers as its ends", got=expr.dtype, span=span)
    return expr


def _one(span: Span, kind: ForKind, start: object, stop: object, annotations: Any) -> Loops:
    return Loops([make_loop(span, kind, start, stop, annotations)], False)


@construct("serial")
def serial(
    parser: KernelReader, span: Span, start: object, stop: object = None, *, annotations: object = None
) -> Loops:
    """A serial loop."""
    return _one(span, ForKind.SERIAL, start, stop, annotations)


def python_range(parser: KernelReader, span: Span, start: object, stop: object = None, step: object = 1) -> Loops:
    """Python's `range`: a serial loop."""
    if not isinstance(step, int) or step != 1:
        hint = "use a step of 1 and multiply: for k in range(2): i = k * 2"
        raise WrongType(where="range in a kernel", expected="a step of 1", got=repr(step), span=span, hint=hint)
    return _one(span, ForKind.SERIAL, start, stop, None)


@construct("parallel")
def parallel(
    parser: KernelReader, span: Span, start: object, stop: object = None, *, annotations: object = None
) -> Loops:
    """A loop whose iterations run on CPU threads."""
    return _one(span, ForKind.PARALLEL, start, stop, annotations)


@construct("vectorized")
def vectorized(
    parser: KernelReader, span: Span, start: object, stop: object = None, *, annotations: object = None
) -> Loops:
    """A loop whose iterations become vector lanes."""
    return _one(span, ForKind.VECTORIZED, start, stop, annotations)


@construct("unroll")
def unroll(
    parser: KernelReader, span: Span, start: object, stop: object = None, *, annotations: object = None
) -> Loops:
    """A loop that is unroll."""
    return _one(span, ForKind.UNROLLED, start, stop, annotations)


@construct("thread_binding")
def thread_binding(
    parser: KernelReader,
    span: Span,
    start: Any,
    stop: Any = None,
    thread: str | None = None,
    *,
    annotations: Any = None,
) -> Loops:
    """A loop bound to a thread axis, such as "threadIdx.x"."""
    if thread is None:
        stop, thread = None, stop
    if not isinstance(thread, str):
        raise WrongType(where="T.thread_binding", expected='an axis such as "threadIdx.x"', got=repr(thread), span=span)
    return Loops([make_loop(span, ForKind.THREAD_BINDING, start, stop, annotations, thread)], False)


@construct("grid")
def grid(parser: KernelReader, span: Span, *extents: object) -> Loops:
    """A nest of serial loops, one for each extent."""
    if not extents:
        raise WrongType(where="T.grid", expected="extents", got="none", span=span)
    return Loops([make_loop(span, ForKind.SERIAL, extent, None) for extent in extents], True)
