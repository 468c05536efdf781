"""Resizing of images."""

#: where the text differs from TVM's
DIFFERENT = {
    "options.exclude": "TVM compares with 32 bits in conditions, with 64-bit sizes",
    "options.symbols": "TVM's regions of clamped indices are those of sizes that may be 0",
}

MODES = ("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn")


def _linear(x, sizes, mode):
    """Linear interpolation along each spatial dimension."""
    for n, size in enumerate(sizes):
        extent, i = x.shape[2 + n], np.arange(size)
        scale = (extent - 1) / (size - 1) if mode == "align_corners" else extent / size
        place = i * scale if mode in ("align_corners", "asymmetric") else (i + 0.5) * scale - (0.5 if mode != "tf_half_pixel_for_nn" else 0)
        x = np.apply_along_axis(lambda v: np.interp(place, np.arange(extent), v), 2 + n, x)
    return x.astype("float32")


def modes():
    for mode in MODES:
        yield f"linear_{mode}", "x:float32[m,2,4,5]", lambda x, m=mode: topi.image.resize2d(x, [0.0] * 4, (8, 7), coordinate_transformation_mode=m), lambda x, m=mode: _linear(x, (8, 7), m), {"rtol": 1e-4}
        for method in ("nearest_neighbor", "cubic"):
            yield f"{method}_{mode}", "x:float32[1,1,4]", lambda x, m=mode, k=method: topi.image.resize1d(x, [0.0, 0.0], (6,), method=k, coordinate_transformation_mode=m), None, {"sizes": [{}]}
    for method in ("nearest_neighbor", "linear"):
        yield f"{method}_crop", "x:float32[1,1,4]", lambda x, k=method: topi.image.resize1d(x, [0.1, 0.9], (6,), method=k, coordinate_transformation_mode="tf_crop_and_resize"), None, {"sizes": [{}]}


def options():
    for rounding in ("round", "floor", "ceil", "round_prefer_ceil", "round_prefer_floor"):
        yield rounding, "x:float32[1,1,4]", lambda x, r=rounding: topi.image.resize1d(x, [0.0, 0.0], (6,), method="nearest_neighbor", rounding_method=r), None, {"sizes": [{}]}
    yield "exclude", "x:float32[1,1,4]", lambda x: topi.image.resize1d(x, [0.0, 0.0], (6,), method="cubic", bicubic_exclude=1), None, {"sizes": [{}], "rtol": 1e-4}
    yield "nhwc", "x:float32[1,4,5,2]", lambda x: topi.image.resize2d(x, [0.0] * 4, (8, 7), "NHWC"), lambda x: _linear(x.transpose(0, 3, 1, 2), (8, 7), "half_pixel").transpose(0, 2, 3, 1), {"sizes": [{}], "rtol": 1e-4}
    yield "three", "x:float32[1,1,3,4,5]", lambda x: topi.image.resize3d(x, [0.0] * 6, (4, 5, 7)), lambda x: _linear(x, (4, 5, 7), "half_pixel"), {"sizes": [{}], "rtol": 1e-4}
    yield "twice", "x:float32[1,2,4,4]", lambda x: topi.image.resize2d(x, [0.0] * 4, (8, 8), method="nearest_neighbor", coordinate_transformation_mode="asymmetric"), lambda x: x.repeat(2, 2).repeat(2, 3), {"sizes": [{}]}
    yield "half", "x:float16[1,2,4,4]", lambda x: topi.image.resize2d(x, [0.0] * 4, (8, 6)), None, {"sizes": [{}], "rtol": 1e-2}
    yield "symbols", "x:float32[n,2,h,w]", lambda x: topi.image.resize2d(x, [0.0] * 4, (8, 6)), lambda x: _linear(x, (8, 6), "half_pixel"), {"sizes": [{"n": 2, "h": 5, "w": 3}], "rtol": 1e-4}
