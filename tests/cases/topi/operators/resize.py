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

#: rounding of coordinates: those that are almost integers count as these
ROUNDING = {
    "round": lambda x: np.sign(x) * np.floor(abs(x) + 0.5), "floor": lambda x: np.floor(x + 1e-5), "ceil": lambda x: np.ceil(x - 1e-5),
    "round_prefer_floor": lambda x: np.ceil(x - 0.5), "round_prefer_ceil": lambda x: np.floor(x + 0.5),
}


def _row(x, method, mode, size=6, rounding=None, exclude=False, box=(0.0, 0.0)):
    """Resizing of rows to a size, by the formulas of ONNX's Resize."""
    extent, i = x.shape[-1], np.arange(size)
    place = {
        "half_pixel": (i + 0.5) * extent / size - 0.5, "pytorch_half_pixel": (i + 0.5) * extent / size - 0.5,
        "align_corners": i * (extent - 1) / (size - 1), "asymmetric": i * extent / size,
        "tf_half_pixel_for_nn": (i + 0.5) * extent / size,
        "crop": box[0] * (extent - 1) + i * (box[1] - box[0]) * (extent - 1) / (size - 1),
    }[mode]
    clip = lambda j: np.clip(j, 0, extent - 1)
    if method == "nearest_neighbor":
        rounding = rounding or ("round" if mode == "align_corners" else "floor")
        return x[..., clip(ROUNDING[rounding](place.astype("float32")).astype(int))]
    low = np.floor(place).astype(int)
    t = place - low
    if method == "linear":
        return (x[..., clip(low)] * (1 - t) + x[..., clip(low + 1)] * t).astype("float32")
    a = -0.5
    near, far = lambda t: ((a + 2) * t - (a + 3)) * t * t + 1, lambda t: ((a * t - 5 * a) * t + 8 * a) * t - 4 * a
    weights = np.stack([far(t + 1), near(t), near(1 - t), far(2 - t)])
    taps = low + np.arange(-1, 3)[:, None]
    if exclude:
        weights = np.where((taps < 0) | (taps >= extent), 0, weights)
        weights = weights / weights.sum(0)
    return (x[..., clip(taps)] * weights).sum(-2).astype("float32")


def modes():
    for mode in MODES:
        yield f"linear_{mode}", "x:float32[m,2,4,5]", lambda x, m=mode: topi.image.resize2d(x, [0.0] * 4, (8, 7), coordinate_transformation_mode=m), lambda x, m=mode: _linear(x, (8, 7), m), {"rtol": 1e-4}
        for method in ("nearest_neighbor", "cubic"):
            yield f"{method}_{mode}", "x:float32[1,1,4]", lambda x, m=mode, k=method: topi.image.resize1d(x, [0.0, 0.0], (6,), method=k, coordinate_transformation_mode=m), lambda x, m=mode, k=method: _row(x, k, m), {"sizes": [{}]}
    for method in ("nearest_neighbor", "linear"):
        yield f"{method}_crop", "x:float32[1,1,4]", lambda x, k=method: topi.image.resize1d(x, [0.1, 0.9], (6,), method=k, coordinate_transformation_mode="tf_crop_and_resize"), lambda x, k=method: _row(x, k, "crop", box=(0.1, 0.9)), {"sizes": [{}]}


def options():
    for rounding in ("round", "floor", "ceil", "round_prefer_ceil", "round_prefer_floor"):
        yield rounding, "x:float32[1,1,4]", lambda x, r=rounding: topi.image.resize1d(x, [0.0, 0.0], (6,), method="nearest_neighbor", rounding_method=r), lambda x, r=rounding: _row(x, "nearest_neighbor", "half_pixel", rounding=r), {"sizes": [{}]}
    yield "exclude", "x:float32[1,1,4]", lambda x: topi.image.resize1d(x, [0.0, 0.0], (6,), method="cubic", bicubic_exclude=1), lambda x: _row(x, "cubic", "half_pixel", exclude=True), {"sizes": [{}], "rtol": 1e-4}
    yield "nhwc", "x:float32[1,4,5,2]", lambda x: topi.image.resize2d(x, [0.0] * 4, (8, 7), "NHWC"), lambda x: _linear(x.transpose(0, 3, 1, 2), (8, 7), "half_pixel").transpose(0, 2, 3, 1), {"sizes": [{}], "rtol": 1e-4}
    yield "three", "x:float32[1,1,3,4,5]", lambda x: topi.image.resize3d(x, [0.0] * 6, (4, 5, 7)), lambda x: _linear(x, (4, 5, 7), "half_pixel"), {"sizes": [{}], "rtol": 1e-4}
    yield "twice", "x:float32[1,2,4,4]", lambda x: topi.image.resize2d(x, [0.0] * 4, (8, 8), method="nearest_neighbor", coordinate_transformation_mode="asymmetric"), lambda x: x.repeat(2, 2).repeat(2, 3), {"sizes": [{}]}
    yield "half", "x:float16[1,2,4,4]", lambda x: topi.image.resize2d(x, [0.0] * 4, (8, 6)), lambda x: _linear(x.astype("float32"), (8, 6), "half_pixel").astype("float16"), {"sizes": [{}], "rtol": 1e-2}
    yield "symbols", "x:float32[n,2,h,w]", lambda x: topi.image.resize2d(x, [0.0] * 4, (8, 6)), lambda x: _linear(x, (8, 6), "half_pixel"), {"sizes": [{"n": 2, "h": 5, "w": 3}], "rtol": 1e-4}
