"""Windows that move over the last dimensions: sizes, strides and borders of convolutions and pools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.values import Size

#: name of the layout by the number of dimensions that a window has
LAYOUTS = {1: "NCW", 2: "NCHW", 3: "NCDHW"}


@dataclass(frozen=True)
class Window:
    """The attributes of a window, an element for each of its dimensions."""

    kernel: list[int]
    strides: list[int]
    dilations: list[int]
    #: borders before all dimensions, then behind them
    pads: list[int]

    @property
    def rank(self) -> int:
        return len(self.kernel)

    @property
    def layout(self) -> str:
        return LAYOUTS[self.rank]


def window_of(node: Node, sizes: Sequence[Size], kernel: Sequence[int] | None = None) -> Window:
    """Return the window of a node over dimensions of these sizes. Raises `InvalidModel`."""
    shape = node.integers("kernel_shape", kernel)
    rank = len(shape)
    if rank != len(sizes) or rank not in LAYOUTS:
        raise node.invalid(f"a window of {rank} dimensions cannot move over {len(sizes)}")
    strides, dilations = node.integers("strides", [1] * rank), node.integers("dilations", [1] * rank)
    pads = _automatic(node, sizes, shape, strides, dilations)
    return Window(shape, strides, dilations, node.integers("pads", [0] * 2 * rank) if pads is None else pads)


def _automatic(
    node: Node, sizes: Sequence[Size], kernel: list[int], strides: list[int], dilations: list[int]
) -> list[int] | None:
    """Return the borders that the attribute auto_pad asks for, None where it asks for none."""
    mode = node.text("auto_pad", "NOTSET")
    if mode in ("NOTSET", ""):
        return None
    if mode == "VALID":
        return [0] * 2 * len(kernel)
    begins: list[int] = []
    ends: list[int] = []
    for size, extent, stride, dilation in zip(sizes, kernel, strides, dilations, strict=True):
        if not isinstance(size, int) and stride != 1:
            raise node.invalid("auto_pad needs sizes that are known")
        count = -(-size // stride) if isinstance(size, int) else 0
        whole = (count - 1) * stride + (extent - 1) * dilation + 1 - size if isinstance(size, int) else extent - 1
        total = max(0, whole)
        less, more = total // 2, total - total // 2
        begins.append(less if mode == "SAME_UPPER" else more)
        ends.append(more if mode == "SAME_UPPER" else less)
    return [*begins, *ends]
