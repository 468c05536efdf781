"""Pooling."""

from __future__ import annotations

from typing import Any, Final

from tvmscript.testing.operator_calls.arguments import Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe
from tvmscript.testing.operator_calls.layouts import SPATIAL, in_layout, out_layout


def pooled(r: Draws, spatial: int) -> tuple[Data, dict[str, Any]]:
    letters = SPATIAL[spatial]
    window = [r.choice((1, 2, 3)) for _ in range(spatial)]
    dilation = [r.choice((1, 1, 2)) for _ in range(spatial)]
    room = [step * (size - 1) + 1 + r.randint(0, 4) for step, size in zip(dilation, window, strict=True)]
    layout, shape = in_layout(r, [r.choice((1, 2)), r.choice((1, 2, 4)), *room], f"NC{letters}")
    more = r.given(
        strides=[r.choice((1, 2, 3)) for _ in range(spatial)],
        padding=[r.randrange(size) for size in (*window, *window)],
        ceil_mode=r.flag(),
        count_include_pad=r.flag(),
        out_layout=out_layout(r, f"NC{letters}"),
    )
    return Data(shape), {"pool_size": window, "dilation": dilation, "layout": layout, **more}


_POOLS: Final = [f"nn.{kind}_pool{spatial}d" for kind in ("max", "avg") for spatial in (1, 2, 3)]


@recipe(*_POOLS)
def _pool(name: str, r: Draws) -> OperatorCall:
    data, attrs = pooled(r, int(name[-2]))
    return OperatorCall(name, (data,), attrs)


@recipe("nn.adaptive_avg_pool1d", "nn.adaptive_avg_pool2d", "nn.adaptive_avg_pool3d")
def _adaptive(name: str, r: Draws) -> OperatorCall:
    spatial = int(name[-2])
    letters = SPATIAL[spatial]
    layout, shape = in_layout(r, [r.size(), r.choice((1, 2, 4)), *[r.size() for _ in range(spatial)]], f"NC{letters}")
    more = r.given(output_size=[r.size() for _ in range(spatial)], out_layout=out_layout(r, f"NC{letters}"))
    return OperatorCall(name, (Data(shape),), {"layout": layout, **more})
