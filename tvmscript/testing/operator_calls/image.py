"""Image operators: resizing, sampling."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import FLOATS, Data, Draws, Sizes
from tvmscript.testing.operator_calls.call import OperatorCall, recipe
from tvmscript.testing.operator_calls.layouts import SPATIAL, arranged, in_layout


@recipe("image.resize2d", "image.resize3d")
def _resize(name: str, r: Draws) -> OperatorCall:
    spatial = int(name[-2])
    axes = f"NC{SPATIAL[spatial]}"
    whole = [r.size(), r.choice((2, 4, 3)), *[r.size() for _ in range(spatial)]]
    layout, shape = in_layout(r, whole, axes)
    wanted = [r.size() for _ in range(spatial)]
    dtype = r.choice(FLOATS)
    more = r.given(out_dtype=r.choice(FLOATS))
    result = arranged([*whole[:2], *wanted], axes, layout)
    return OperatorCall(
        name,
        (Data(shape, dtype), Sizes(tuple(wanted))),
        {"layout": layout, **more},
        Data(result, more.get("out_dtype", dtype)),
    )


@recipe("image.affine_grid")
def _affine_grid(name: str, r: Draws) -> OperatorCall:
    wanted = Sizes((r.size(), r.size()))
    return OperatorCall(name, (Data((r.size(), 2, 3)), wanted), r.given(align_corners=r.flag()))


@recipe("image.grid_sample")
def _grid_sample(name: str, r: Draws) -> OperatorCall:
    spatial = r.choice((2, 3))
    axes = f"NC{SPATIAL[spatial]}"
    whole = [r.size(), r.choice((2, 4, 3)), *[r.size() for _ in range(spatial)]]
    order = list(axes)
    r.shuffle(order)
    layout = "".join(order)
    wanted = [r.size() for _ in range(spatial)]
    args = (Data(arranged(whole, axes, layout)), Data((whole[0], spatial, *wanted)))
    return OperatorCall(name, args, {"layout": layout}, Data(arranged([*whole[:2], *wanted], axes, layout)))
