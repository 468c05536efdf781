"""Kernels of `R.image` and `R.vision`: their values are those of the references of `topi`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import tvmscript
from tests.ir.relax.transform.graph_values import results
from tests.ir.topi.cases import FOLDER, load, values_of
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.transform.operators.legalize_ops import LegalizeOps

#: the same on every Python
pytestmark = pytest.mark.long

#: a case of topi, the parameters and the call of a graph function, and the arguments made of the inputs of the case
Case = tuple[str, str, str, str, Callable[..., tuple[Any, ...]]]


def _same(*arrays: Any) -> tuple[Any, ...]:
    return arrays


def _with_class(x: Any, counts: Any, indices: Any) -> tuple[Any, ...]:
    """Boxes whose first field is a class, 0 or 1."""
    return np.concatenate([np.floor(x[..., :1] * np.float32(2)), x[..., 1:]], 2), counts, indices


def _with_image(x: Any, images: Any, boxes: Any) -> tuple[Any, ...]:
    """Regions whose first field is the number of an image."""
    return x, np.concatenate([images.astype("float32"), boxes], 1)


_GRID: Final = 'x: R.Tensor((2, 3, 6, 7), "float32"), g: R.Tensor((2, 2, 4, 5), "float32")'
_VOLUME: Final = 'x: R.Tensor((2, 2, 4, 5, 6), "float32"), g: R.Tensor((2, 3, 2, 3, 4), "float32")'
_BOXES: Final = 'x: R.Tensor((2, 8, 6), "float32"), c: R.Tensor((2,), "int32"), i: R.Tensor((2, 8), "int32")'
_PAIRS: Final = 'b: R.Tensor((2, 6, 4), "float32"), s: R.Tensor((2, 2, 6), "float32")'
_REGIONS: Final = 'x: R.Tensor((2, 3, 8, 8), "float32"), r: R.Tensor((2, 5), "float32")'
_LAST: Final = 'x: R.Tensor((2, 8, 8, 3), "float32"), r: R.Tensor((2, 5), "float32")'
_LIMITS: Final = 'R.const(6, "int64"), R.const(0.5, "float32"), R.const(0.3, "float32")'
_CUBE: Final = 'x: R.Tensor((2, 3, 2, 4, 5), "float32")'
CASES: Final[dict[str, Case]] = {
    "grid_sample": ("image", "sampling.zeros", _GRID, "R.image.grid_sample(x, g, align_corners=True)", _same),
    "grid_sample of borders": (
        "image", "sampling.nearest_border", _GRID,
        'R.image.grid_sample(x, g, method="nearest", padding_mode="border")', _same,
    ),
    "grid_sample of volumes": (
        "image", "sampling.volume", _VOLUME, 'R.image.grid_sample(x, g, layout="NCDHW", align_corners=True)', _same,
    ),
    "resize3d": (
        "image", "upsampling.volume", _CUBE, 'R.image.resize3d(x, (4, 8, 15), method="nearest_neighbor")', _same,
    ),
    "non_max_suppression": (
        "vision", "suppression.indices", _BOXES, "R.vision.non_max_suppression(x, c, i)", _with_class,
    ),
    "non_max_suppression of boxes": (
        "vision", "suppression.bottom", _BOXES,
        "R.vision.non_max_suppression(x, c, i, return_indices=False, invalid_to_bottom=True)", _with_class,
    ),
    "all_class_non_max_suppression": (
        "vision", "all_classes.onnx", _PAIRS, f"R.vision.all_class_non_max_suppression(b, s, {_LIMITS})", _same,
    ),
    "all_class_non_max_suppression of tensorflow": (
        "vision", "all_classes.tensorflow", _PAIRS,
        f'R.vision.all_class_non_max_suppression(b, s, {_LIMITS}, output_format="tensorflow")', _same,
    ),
    "roi_align": (
        "vision", "regions.align", _REGIONS,
        "R.vision.roi_align(x, r, (2, 3), spatial_scale=0.5, sample_ratio=2)", _with_image,
    ),
    "roi_align of the last axis": (
        "vision", "regions.align_nhwc", _LAST,
        'R.vision.roi_align(x, r, (2, 3), spatial_scale=0.5, sample_ratio=2, layout="NHWC")', _with_image,
    ),
    "roi_pool": ("vision", "regions.pool", _REGIONS, "R.vision.roi_pool(x, r, (2, 3), spatial_scale=0.5)", _with_image),
}  # fmt: skip
STAYS: Final = {
    "soft suppression": (_BOXES, "R.vision.non_max_suppression(x, c, i, soft_nms_sigma=0.5)"),
    "aligned corners": (_REGIONS, "R.vision.roi_align(x, r, (2, 3), spatial_scale=0.5, sample_ratio=2, aligned=True)"),
    "any number of samples": (_REGIONS, "R.vision.roi_align(x, r, (2, 3), spatial_scale=0.5)"),
}


def _module(params: str, call: str) -> IRModule:
    func = tvmscript.from_source(f"@R.function\ndef main({params}):\n    gv = {call}\n    return gv\n")
    return IRModule({"main": func})


@pytest.mark.parametrize("name", CASES)
def test_values(name: str) -> None:
    file, case_name, params, call, prepare = CASES[name]
    case = load(FOLDER / "operators" / f"{file}.py")[0][case_name]
    inputs = values_of(case, {"n": 2}, 0)
    legalized = LegalizeOps()(_module(params, call))
    assert len(legalized.functions) == 2
    actual, expected = results(legalized, prepare(*inputs)), case[2](*inputs)
    for left, right in zip(*(each if isinstance(each, list) else [each] for each in (actual, expected)), strict=True):
        np.testing.assert_allclose(left, right, 1e-3, 1e-3)


@pytest.mark.parametrize("name", STAYS)
def test_calls_that_stay(name: str) -> None:
    mod = _module(*STAYS[name])
    assert LegalizeOps()(mod) is mod
