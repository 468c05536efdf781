"""Windows of kernels that slide over padded data, and layouts such as "NCHW"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Expr, IterVar
from tvmscript.ir.topi.common import Extents, Padding, as_list, function, simplify
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.nn.padding import pad

T = TypeVar("T")
#: depth, height and width
SPATIAL: Final = "DHW"


def each(value: Extents, count: int, where: str) -> list[Extent]:
    """Return a value for each dimension of a window."""
    values = as_list(value)
    if len(values) not in (1, count):
        raise InvalidOperand(where=where, reason=f"{len(values)} values are given for {count} dimensions")
    return values * count if len(values) == 1 else values


def pad_tuple(padding: Padding, kernel: Sequence[Extent], where: str) -> tuple[list[Extent], list[Extent]]:
    """Return how far each dimension is padded before and after: of one or two values for each, "VALID" or "SAME"."""
    count = len(kernel)
    if padding == "VALID":
        return [0] * count, [0] * count
    if padding == "SAME":
        both = [extent - 1 for extent in kernel]
        before = [(width + 1) // 2 for width in both]
        return before, [width - head for width, head in zip(both, before, strict=True)]
    values = [] if isinstance(padding, str) else as_list(padding)
    if len(values) == 2 * count:
        return values[:count], values[count:]
    if len(values) in (1, count):
        heads = each(values if len(values) > 1 else values[0], count, where)
        return heads, heads
    raise InvalidOperand(where=where, reason=f"the padding {padding!r} has no widths for {count} dimensions")


def spatial_axes(layout: str, count: int, where: str) -> list[int]:
    """Return the places of the spatial dimensions in a layout such as `NCHW` or `NCHW4c`."""
    letters = [letter for letter in layout if letter.isalpha()]
    places = [letters.index(letter) for letter in SPATIAL[3 - count :] if letter in letters]
    if len(places) != count:
        names = ", ".join(SPATIAL[3 - count :])
        raise InvalidOperand(where=where, reason=f"the layout {layout} has not the dimensions {names}")
    return places


def relayout(items: Sequence[T], source: str, target: str) -> list[T]:
    """Return items, one for each letter of a layout, in the order of another layout."""
    return [items[source.index(letter)] for letter in target]


class Windows:
    """The windows of a kernel: where they begin and which elements of the padded data they read."""

    def __init__(
        self, sizes: Sequence[Extent], stride: Extents, padding: Padding, dilation: Extents, where: str
    ) -> None:
        count = len(sizes)
        self.strides, self.dilations = each(stride, count, where), each(dilation, count, where)
        #: extents of a window
        self.reach = [(size - 1) * gap + 1 for size, gap in zip(sizes, self.dilations, strict=True)]
        self.heads, self.tails = pad_tuple(padding, self.reach, where)

    def pad(self, data: Tensor, order: str, layout: str, name: str) -> Tensor:
        """Return padded data of a layout; the last letters of `order` are the dimensions of the windows."""
        rest = [0] * (len(order) - len(self.heads))
        before, after = (relayout([*rest, *widths], order, layout) for widths in (self.heads, self.tails))
        return pad(data, before, after, name=name)

    def counts(self, extents: Sequence[Extent]) -> list[Expr]:
        """Return the numbers of windows over data of these extents."""
        dimensions = zip(extents, self.reach, self.heads, self.tails, self.strides, strict=True)
        return [
            simplify(function("floordiv")(extent - reach + head + tail, step) + 1)
            for extent, reach, head, tail, step in dimensions
        ]

    def places(self, position: Sequence[Expr], taps: Sequence[IterVar]) -> list[Expr]:
        """Return the indices of what the window at a position reads with an element of the kernel."""
        dimensions = zip(position, self.strides, taps, self.dilations, strict=True)
        return [index * step + tap.var * gap for index, step, tap, gap in dimensions]
