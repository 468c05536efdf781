"""Where the largest elements of windows lie: the second result of max pooling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.topi.common import function

#: behind all places
_NOWHERE: Final = (1 << 63) - 1


@dataclass(frozen=True)
class Span:
    """The windows along an axis: the elements from `begin(i)` on, `step` apart, at most `count`, before `end(i)`.

    Windows without an end reach as far as the axis.
    """

    begin: Callable[[Any], Any]
    end: Callable[[Any], Any] | None
    count: int
    step: int = 1


def sliding(kernel: int, stride: int, before: int, dilation: int) -> Span:
    """Return the windows that slide over an axis with a border."""
    return Span(lambda i: i * stride - before, None, kernel, dilation)


def adaptive(extent: int, count: int) -> Span:
    """Return so many windows that cover an axis, which may overlap in an element."""
    widths = [-(-(place + 1) * extent // count) - place * extent // count for place in range(count)]
    return Span(lambda i: i * extent // count, lambda i: ((i + 1) * extent + count - 1) // count, max(widths))


def largest_places(x: Tensor, largest: Tensor, spans: Sequence[Span]) -> Tensor:
    """Return the place of the largest element of each window, the first one of several, or of a NaN.

    Places count over the last axes, of which there is one for each span.
    """
    choose, all_of, any_of = (function(name) for name in ("if_then_else", "all", "any"))
    steps = [reduce_axis((0, span.count), f"k{axis}") for axis, span in enumerate(spans)]
    leading = len(x.shape) - len(spans)

    def place_of(*i: Expr) -> Any:
        at: list[Any] = []
        inside: list[Any] = []
        place: Any = const(0, "int64")
        for axis, (span, step) in enumerate(zip(spans, steps, strict=True), leading):
            index, extent = cast_expr("int64", i[axis]), cast_expr("int64", x.shape[axis])
            at.append(span.begin(index) + cast_expr("int64", step.var) * const(span.step, "int64"))
            inside += [at[-1] >= 0, at[-1] < (extent if span.end is None else span.end(index))]
            place = place * extent + at[-1]
        element = x(*i[:leading], *at)
        is_largest = any_of(element.equal(largest(*i)), element != element)  # a NaN
        nowhere = const(_NOWHERE, "int64")
        return reduction.min(choose(all_of(*inside), choose(is_largest, place, nowhere), nowhere), axis=steps)

    places: Tensor = compute(largest.shape, place_of, "largest_places")
    return places
