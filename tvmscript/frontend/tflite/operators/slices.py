"""The masks of STRIDED_SLICE as Python's slices."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.frontend.tflite.values import Node

#: what a slice takes of an axis: a range, one element; None is a new axis
AxisIndex = slice | int | None


def slices(node: Node, shape: Sequence[int]) -> tuple[AxisIndex, ...]:
    """Return what STRIDED_SLICE takes of each axis. Raises `InvalidModel`."""
    begins, ends, steps = (node.integers(index) for index in (1, 2, 3))
    masks: dict[str, int] = {name: node.option(f"{name}Mask") for name in ("begin", "end", "newAxis", "shrinkAxis")}
    ellipsis = int(node.option("ellipsisMask"))
    #: places in the specification; None for an axis that the ellipsis skips
    order: list[int | None] = [*range(len(begins))]
    if ellipsis:
        place = ellipsis.bit_length() - 1
        num_used = sum(not masks["newAxis"] >> other & 1 for other in range(len(begins)) if other != place)
        order[place : place + 1] = [None] * (len(shape) - num_used)
    indices: list[AxisIndex] = []
    for spec in order:
        if spec is None:
            indices.append(slice(None))
        elif masks["newAxis"] >> spec & 1:
            indices.append(None)
        elif masks["shrinkAxis"] >> spec & 1:
            indices.append(begins[spec])
        else:
            begin = None if masks["begin"] >> spec & 1 else begins[spec]
            end = None if masks["end"] >> spec & 1 else ends[spec]
            indices.append(slice(begin, end, steps[spec]))
    return tuple(indices)
