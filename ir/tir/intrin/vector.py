"""Vector intrinsics: halves, concatenation, scalable vectors, lane masks."""

from __future__ import annotations

from tvmscript.ir.core import INT32
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic, offer, script_intrinsic

vectorlow = offer(
    Intrinsic("vectorlow", "vec", None, num_inputs=-1, dtype_position="first", doc="The first half of the lanes."),
    typed=True,
)
vectorhigh = offer(
    Intrinsic("vectorhigh", "vec", None, num_inputs=-1, dtype_position="first", doc="The second half of the lanes."),
    typed=True,
)
vectorcombine = offer(
    Intrinsic(
        "vectorcombine",
        "vec1 vec2",
        None,
        num_inputs=-1,
        dtype_position="first",
        doc="The concatenation of two vectors.",
    ),
    typed=True,
)
vscale = script_intrinsic(
    "vscale", "", INT32, num_inputs=-1, doc="The multiple of the minimum length of scalable vectors."
)
get_active_lane_mask = offer(
    Intrinsic(
        "get_active_lane_mask",
        "base limit",
        None,
        script_name="get_active_lane_mask",
        dtype_position="first",
        doc="The mask whose lane k is base + k < limit.",
    ),
    typed=True,
)
