"""Convolutions."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import FLOATS, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe
from tvmscript.testing.operator_calls.layouts import SPATIAL, in_layout, out_layout


def _ends(r: Draws, spatial: int) -> list[int]:
    """Draw padding before and behind each axis."""
    return [r.choice((0, 1, 2)) for _ in range(2 * spatial)]


@recipe("nn.conv1d", "nn.conv2d", "nn.conv3d")
def _conv(name: str, r: Draws) -> OperatorCall:
    spatial = int(name[-2])
    letters, groups = SPATIAL[spatial], r.choice((1, 1, 2, 3))
    window = [r.choice((1, 2, 3)) for _ in range(spatial)]
    dilation = [r.choice((1, 1, 2)) for _ in range(spatial)]
    room = [step * (size - 1) + 1 + r.randint(0, 4) for step, size in zip(dilation, window, strict=True)]
    inside, outside = r.choice((1, 2)), r.choice((1, 2)) * groups
    data_layout, data = in_layout(r, [r.choice((1, 2, 3)), inside * groups, *room], f"NC{letters}")
    kernel_layout, kernel = in_layout(r, [outside, inside, *window], f"OI{letters}")
    layouts = {"data_layout": data_layout, "kernel_layout": kernel_layout}
    more = r.given(out_layout=out_layout(r, f"NC{letters}"), padding=_ends(r, spatial), out_dtype=r.choice(FLOATS))
    strides = [r.choice((1, 2, 3)) for _ in range(spatial)]
    return OperatorCall(
        name,
        (Data(data), Data(kernel)),
        {"strides": strides, "dilation": dilation, "groups": groups, **layouts, **more},
    )


@recipe("nn.conv1d_transpose", "nn.conv2d_transpose", "nn.conv3d_transpose")
def _transposed(name: str, r: Draws) -> OperatorCall:
    spatial = int(name.removesuffix("d_transpose")[-1])
    letters, groups = SPATIAL[spatial], r.choice((1, 1, 2))
    strides = [r.choice((1, 2, 3)) for _ in range(spatial)]
    inside, outside = r.choice((1, 2)) * groups, r.choice((1, 2, 3))
    room = [r.choice((3, 4, 5)) for _ in range(spatial)]
    data_layout, data = in_layout(r, [r.choice((1, 2, 3)), inside, *room], f"NC{letters}")
    window = [r.choice((1, 2, 3)) for _ in range(spatial)]
    kernel_layout, kernel = in_layout(r, [inside, outside, *window], f"IO{letters}")
    layouts = {"data_layout": data_layout, "kernel_layout": kernel_layout}
    more = r.given(
        out_layout=out_layout(r, f"NC{letters}"),
        padding=[r.choice((0, 1)) for _ in range(2 * spatial)],
        output_padding=[r.randrange(stride) for stride in strides],
        dilation=[r.choice((1, 2)) for _ in range(spatial)],
        out_dtype=r.choice(FLOATS),
    )
    return OperatorCall(name, (Data(data), Data(kernel)), {"strides": strides, "groups": groups, **layouts, **more})
