"""The masks of STRIDED_SLICE as Python's slices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.frontend.tflite.values import Node

#: an axis of a slice: a range, one element, a new axis
Part = slice | int | None


def slices(node: Node, shape: Sequence[int]) -> tuple[Part, ...]:
    """Return what STRIDED_SLICE takes of each axis. Raises `InvalidModel`."""
    begins, ends, steps = (node.integers(index) for index in (1, 2, 3))
    masks: dict[str, int] = {name: node.option(f"{name}Mask") for name in ("begin", "end", "newAxis", "shrinkAxis")}
    ellipsis = int(node.option("ellipsisMask"))
    places = list(range(len(begins)))
    if ellipsis:
        place = ellipsis.bit_length() - 1
        used = sum(not masks["newAxis"] >> other & 1 for other in places if other != place)
        skipped: list[Any] = [None] * (len(shape) - used)
        order: list[Any] = [*places[:place], *skipped, *places[place + 1 :]]
    else:
        order = list(places)
    parts: list[Part] = []
    for spec in order:
        if spec is None:
            parts.append(slice(None))
        elif masks["newAxis"] >> spec & 1:
            parts.append(None)
        elif masks["shrinkAxis"] >> spec & 1:
            parts.append(begins[spec])
        else:
            begin = None if masks["begin"] >> spec & 1 else begins[spec]
            end = None if masks["end"] >> spec & 1 else ends[spec]
            parts.append(slice(begin, end, steps[spec]))
    return tuple(parts)
