"""Weights of resized axes, against values of ONNX's own examples of Resize."""

from __future__ import annotations

import numpy as np
import pytest

from tvmscript.frontend.onnx.operators.resize_weights import Resize, nearest_places, weights

WHOLE = (0.0, 1.0)


def test_linear_half_pixel_enlarges() -> None:
    table, outside = weights(Resize("linear", "half_pixel", "floor"), 2, 4, 2.0, WHOLE)
    np.testing.assert_allclose(np.array([1.0, 2.0]) @ table, [1.0, 1.25, 1.75, 2.0])
    assert not outside.any()


def test_linear_align_corners() -> None:
    table, _ = weights(Resize("linear", "align_corners", "floor"), 2, 4, 2.0, WHOLE)
    np.testing.assert_allclose(np.array([1.0, 2.0]) @ table, [1.0, 4 / 3, 5 / 3, 2.0])


def test_cubic_weights_sum_to_one_inside_and_without_what_is_outside() -> None:
    for exclude in (False, True):
        table, _ = weights(Resize("cubic", "half_pixel", "floor", exclude_outside=exclude), 4, 9, 9 / 4, WHOLE)
        np.testing.assert_allclose(table.sum(axis=0), np.ones(9))


def test_antialias_averages_the_elements_between() -> None:
    table, _ = weights(Resize("linear", "half_pixel", "floor", antialias=True), 4, 2, 0.5, WHOLE)
    # triangles of width 4 around 0.5 and 2.5; the first element stands for the one before it as well:
    # (1 + 3 * 1 + 3 * 2 + 3) / 8 and (2 + 3 * 3 + 3 * 4 + 4) / 8
    np.testing.assert_allclose(np.array([1.0, 2.0, 3.0, 4.0]) @ table, [13 / 8, 27 / 8])


def test_crops_mark_what_is_outside() -> None:
    _, outside = weights(Resize("linear", "tf_crop_and_resize", "floor"), 4, 3, 0.75, (0.4, 1.2))
    assert outside.tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("rule", "places"),
    [
        # halves of a step: 0, 0.25, 0.5, 0.75, 1
        ("floor", [0, 0, 0, 0, 1]),
        ("ceil", [0, 1, 1, 1, 1]),
        ("round_prefer_ceil", [0, 0, 1, 1, 1]),
        ("round_prefer_floor", [0, 0, 0, 1, 1]),
    ],
)
def test_nearest_rounds_by_rule(rule: str, places: list[int]) -> None:
    assert nearest_places(Resize("nearest", "align_corners", rule), 2, 5, 2.5, WHOLE) == places
