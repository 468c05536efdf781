"""The weights of elements of an axis in an axis of another size."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Resize:
    """The attributes of a resize."""

    mode: str
    coordinates: str
    nearest: str
    cubic: float = -0.75
    exclude_outside: bool = False
    antialias: bool = False
    extrapolation: float = 0.0

    @property
    def crops(self) -> bool:
        """Whether a region of interest is resized."""
        return self.coordinates == "tf_crop_and_resize"


def _coordinates(plan: Resize, length: int, size: int, scale: float, region: tuple[float, float]) -> Array:
    """Return the place in the old axis of each element of the new one."""
    x = np.arange(size, dtype="float64")
    match plan.coordinates:
        case "align_corners":
            # the size before it is rounded down
            return x * (length - 1) / (scale * length - 1) if size > 1 else np.zeros(size)
        case "asymmetric":
            return x / scale
        case "tf_crop_and_resize":
            start, end = region
            if size > 1:
                return start * (length - 1) + x * (end - start) * (length - 1) / (size - 1)
            return np.full(size, 0.5 * (start + end) * (length - 1))
        case "pytorch_half_pixel":
            return (x + 0.5) / scale - 0.5 if size > 1 else np.full(size, -0.5)
        case "tf_half_pixel_for_nn":
            return (x + 0.5) / scale
        case "half_pixel_symmetric":
            adjustment = size / (scale * length)
            offset = length / 2 * (1 - adjustment)
            return offset + (x + 0.5) / scale - 0.5
        case _:
            return (x + 0.5) / scale - 0.5


def nearest_places(plan: Resize, length: int, size: int, scale: float, region: tuple[float, float]) -> list[int]:
    """Return the element of the old axis for each element of the new one."""
    places = _coordinates(plan, length, size, scale, region)
    rules: dict[str, Any] = {
        "round_prefer_floor": lambda x: np.ceil(x - 0.5),
        "round_prefer_ceil": lambda x: np.floor(x + 0.5),
        "floor": np.floor,
        "ceil": np.ceil,
        "simple": lambda x: np.ceil(x) if scale < 1 else np.floor(x),
    }
    rounded = rules.get(plan.nearest, rules["round_prefer_floor"])
    return [int(place) for place in np.clip(rounded(places), 0, length - 1)]


def weights(plan: Resize, length: int, size: int, scale: float, region: tuple[float, float]) -> tuple[Array, Array]:
    """Return the matrix of weights (old size, new size), and which new elements lie outside of the old axis."""
    places = _coordinates(plan, length, size, scale, region)
    table = np.zeros((length, size))
    stretch = min(scale, 1.0) if plan.antialias else 1.0
    reach = (2 if plan.mode == "cubic" else 1) / stretch
    for target, place in enumerate(places):
        taps = np.arange(math.floor(place - reach), math.ceil(place + reach) + 1)
        shares = _share(plan, np.abs((taps - place) * stretch))
        if plan.exclude_outside:
            shares = np.where((taps >= 0) & (taps < length), shares, 0.0)
        total = shares.sum()
        for tap, share in zip(taps, shares / total if total else shares, strict=True):
            table[min(max(tap, 0), length - 1), target] += share
    is_outside = (places < 0) | (places > length - 1) if plan.crops else np.zeros(size, bool)
    return table, is_outside


def _share(plan: Resize, distance: Array) -> Array:
    """Return the weight of elements by their distance."""
    if plan.mode != "cubic":
        return np.maximum(0.0, 1.0 - distance)
    a = plan.cubic
    near = ((a + 2) * distance - (a + 3)) * distance**2 + 1
    far = ((distance - 5) * distance + 8) * distance * a - 4 * a
    return np.where(distance <= 1, near, np.where(distance < 2, far, 0.0))
