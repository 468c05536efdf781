"""Boxes: non-maximum suppression, regions of interest."""

from __future__ import annotations

from typing import Any

from tvmscript.testing.operator_calls.arguments import FLOATS, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe
from tvmscript.testing.operator_calls.layouts import arranged


@recipe("vision.get_valid_counts")
def _valid_counts(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (Data((r.size(), r.size(), 6)),), r.given(id_index=r.choice((0, -1)), score_index=1))


@recipe("vision.non_max_suppression")
def _suppression(name: str, r: Draws) -> OperatorCall:
    images, boxes, width = r.size(), r.size(), r.choice((6, 7))
    data = Data((images, boxes, width))
    args = (data, Data((images,), "int32"), Data((images, boxes), "int32"))
    results = (Data((images, boxes), "int32"), Data((images, 1), "int32"))
    kind = r.choice(("boxes", "places", "soft"))
    attrs = {"return_indices": kind != "boxes", "soft_nms_sigma": 0.5 if kind == "soft" else 0.0}
    result = {"boxes": data, "places": results, "soft": (data, *results)}[kind]
    return OperatorCall(name, args, attrs, result)


@recipe("vision.all_class_non_max_suppression")
def _every_class(name: str, r: Draws) -> OperatorCall:
    images, boxes, classes = r.size(), r.size(), r.size()
    scalar = Data((1,))
    args = (Data((images, boxes, 4)), Data((images, classes, boxes)), Data((1,), "int64"), scalar, scalar)
    if r.random() < 0.5:
        result: Any = (Data((images * classes * boxes, 3), "int64"), Data((1,), "int64"))
        return OperatorCall(name, args, {"output_format": "onnx"}, result)
    lists = (images, classes * boxes)
    result = (Data((*lists, 2), "int64"), Data(lists), Data((images,), "int64"))
    return OperatorCall(name, args, {"output_format": "tensorflow"}, result)


@recipe("vision.multibox_transform_loc")
def _multibox(name: str, r: Draws) -> OperatorCall:
    images, classes, boxes = r.size(), r.size(), r.size()
    dtype = r.choice(FLOATS)
    args = (Data((images, classes, boxes), dtype), Data((images, 4 * boxes), dtype), Data((1, boxes, 4), dtype))
    return OperatorCall(name, args, {}, (Data((images, boxes, 4), dtype), Data((images, classes, boxes), dtype)))


@recipe("vision.roi_align", "vision.roi_pool")
def _regions(name: str, r: Draws) -> OperatorCall:
    layout = r.choice(("NCHW", "NHWC")) if name == "vision.roi_align" else "NCHW"
    whole, regions, wanted = [r.size() for _ in range(4)], r.size(), (r.size(), r.size())
    args = (Data(arranged(whole, "NCHW", layout)), Data((regions, 5)), list(wanted), 0.5)
    result = Data(arranged([regions, whole[1], *wanted], "NCHW", layout))
    return OperatorCall(name, args, {"layout": layout}, result)
