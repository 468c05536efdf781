"""Loops that `for` iterates over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tvmscript.ir.core import DType, Span, WrongType
from tvmscript.ir.core.attrs import attributes
from tvmscript.ir.tir import Expr, ForKind, IntImm, operators
from tvmscript.ir.tir.slices import range_extent
from tvmscript.parser.builtins.argument_checks import thread_tag_of
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
    low: Expr
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
    if isinstance(value, (bool, float)) or not (isinstance(value, Expr) or hasattr(value, "__index__")):
        raise WrongType(where="a loop", expected="integers as its ends", got=repr(value), span=span)
    expr = operators.as_expr(value, dtype, span)
    if not expr.dtype.is_integer or expr.dtype.lanes != 1 or expr.dtype.is_bool:
        raise WrongType(where="a loop", expected="integers as its ends", got=expr.dtype, span=span)
    return expr


#: name in `T` -> kind, docstring
_LOOPS: Final = {
    "serial": (ForKind.SERIAL, "A serial loop."),
    "parallel": (ForKind.PARALLEL, "A loop whose iterations run on CPU threads."),
    "vectorized": (ForKind.VECTORIZED, "A loop whose iterations become vector lanes."),
    "unroll": (ForKind.UNROLLED, "A loop that is unrolled."),
}


def _loop(kind: ForKind, doc: str) -> Callable[..., Loops]:
    def build(
        parser: KernelReader,
        span: Span,
        start: object,
        stop: object = None,
        *,
        annotations: Mapping[str, object] | None = None,
    ) -> Loops:
        return Loops([make_loop(span, kind, start, stop, annotations)])

    build.__doc__ = doc
    return build


for _name, (_kind, _doc) in _LOOPS.items():
    construct(_name)(_loop(_kind, _doc))


def python_range(
    parser: KernelReader,
    span: Span,
    start: object,
    stop: object = None,
    step: object = 1,
    *,
    annotations: Mapping[str, object] | None = None,
) -> Loops:
    """Python's `range`: a serial loop."""
    loops = Loops([make_loop(span, ForKind.SERIAL, start, stop, annotations)], is_range=not annotations)
    if isinstance(step, int) and step == 1:
        return loops
    if not parser.has_steps:
        hint = "use a step of 1 and multiply: for k in range(2): i = k * 2"
        raise WrongType(where="range in a kernel", expected="a step of 1", got=repr(step), span=span, hint=hint)
    return with_step(loops, step, span)


def with_step(loops: Loops, step: object, span: Span) -> Loops:
    """Return the loops over each `step`-th value. Raises `WrongType` for a step that is not positive."""
    for loop in loops.loops:
        size = operators.as_expr(step, loop.min.dtype if isinstance(step, int) else None, span)
        if not size.dtype.is_integer or (isinstance(size, IntImm) and size.value < 1):
            raise WrongType(where="a loop", expected="a positive step", got=repr(step), span=span)
        loop.step = size
    return loops


@construct("thread_binding")
def thread_binding(
    parser: KernelReader,
    span: Span,
    start: object,
    stop: Any = None,
    thread: str | None = None,
    *,
    annotations: Mapping[str, object] | None = None,
) -> Loops:
    """A loop bound to a thread axis, such as "threadIdx.x"."""
    if thread is None:
        stop, thread = None, stop
    tag = thread_tag_of(thread, span, "T.thread_binding")
    return Loops([make_loop(span, ForKind.THREAD_BINDING, start, stop, annotations, tag)])


@construct("grid")
def grid(parser: KernelReader, span: Span, *extents: object) -> Loops:
    """A nest of serial loops, one for each extent."""
    if not extents:
        raise WrongType(where="T.grid", expected="extents", got="none", span=span)
    return Loops([make_loop(span, ForKind.SERIAL, extent, None) for extent in extents])
