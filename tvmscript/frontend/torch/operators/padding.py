"""Padding."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.operators.convolution import Extents, extents_of
from tvmscript.frontend.torch.operators.slicing import take, unfold
from tvmscript.frontend.torch.registry import converts, register
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op.nn.pad import pad as pad_operator

#: torch's names of modes whose elements are those at other places of the axis
_MODES = ("reflect", "replicate", "circular")


@converts("pad", "constant_pad_nd")
def pad_tensor(
    ctx: Context, x: RelaxExpr, pad: Sequence[int], mode: str | float = "constant", value: float | None = None
) -> RelaxExpr:
    """Emit a padded tensor. Widths come in pairs, those of the last axis first; negative ones cut."""
    if not isinstance(mode, str):
        return pad_tensor(ctx, x, pad, "constant", mode)
    widths = _widths(ctx, x, pad)
    if mode in ("constant", "circular"):  # these see the elements that are left
        x = _cut(ctx, x, widths)
        widths = [(max(before, 0), max(after, 0)) for before, after in widths]
    flat = [width for pair in widths for width in pair]
    if not any(flat):
        return x
    if min(flat) >= 0:
        return ctx.call(pad_operator, x, flat, float(value or 0), mode)
    for axis, (before, after) in enumerate(widths):
        if before or after:
            extent = ctx.static(ctx.shape(x)[axis], "the extent of a padded axis")
            places = [_source(place, extent, mode) for place in range(-before, extent + after)]
            x = take(ctx, x, ctx.constant(places, "int64"), axis)
    return x


def _widths(ctx: Context, x: RelaxExpr, pad: Sequence[int]) -> list[tuple[int, int]]:
    """Return the widths before and after each axis."""
    pairs = list(zip(pad[::2], pad[1::2], strict=True))
    return [(0, 0)] * (ctx.ndim(x) - len(pairs)) + pairs[::-1]


def _cut(ctx: Context, x: RelaxExpr, widths: Sequence[tuple[int, int]]) -> RelaxExpr:
    """Emit a tensor without as many elements of each axis as negative widths say."""
    for axis, (before, after) in enumerate(widths):
        if before < 0 or after < 0:
            x = ctx.slice(x, axis, max(-before, 0), ctx.shape(x)[axis] - max(-after, 0))
    return x


def _source(place: int, extent: int, mode: str) -> int:
    """Return the place of the element that stands at a place of the padded axis."""
    if mode == "replicate":
        return min(max(place, 0), extent - 1)
    return extent - 1 - abs(extent - 1 - abs(place))


def _register_mode(mode: str, name: str) -> None:
    register(lambda ctx, x, padding: pad_tensor(ctx, x, padding, mode), *[f"{name}_pad{count}d" for count in (1, 2, 3)])


for _mode, _name in zip(_MODES, ("reflection", "replication", "_circular"), strict=True):
    _register_mode(_mode, _name)


@converts("im2col", "functional.unfold")
def _im2col(
    ctx: Context,
    x: RelaxExpr,
    kernel_size: Extents,
    dilation: Extents = 1,
    padding: Extents = 0,
    stride: Extents = 1,
) -> RelaxExpr:
    """Emit the windows of an image as columns of a matrix."""
    (height, width), (down, right), (top, left), steps = (
        extents_of(value, 2) for value in (kernel_size, dilation, padding, stride)
    )
    x = pad_tensor(ctx, x, [left, left, top, top])
    windows = unfold(ctx, unfold(ctx, x, 2, height, steps[0], down), 3, width, steps[1], right)
    batch, channels, rows, columns, *_ = ctx.shape(windows)
    ordered = ctx.permute(windows, [0, 1, 4, 5, 2, 3])
    return ctx.reshape(ordered, [batch, channels * height * width, rows * columns])
