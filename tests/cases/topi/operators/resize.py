"""Resizing of images."""

#: where the text differs from TVM's
DIFFERENT = {
    "options.symbols": "TVM's regions of clamped indices are those of sizes that may be 0",
}

MODES = ("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn")


def _linear(x, sizes, mode):
    layout = ("NCW", "NCHW", "NCDHW")[x.ndim - 3]
    return tvm.testing.operator_references.sampling.resize(x, sizes, layout, "linear", mode)


def _row(x, method, mode, rounding=None, exclude=False, box=(0.0, 0.0)):
    return tvm.testing.operator_references.sampling.resize_rows(x, 6, method, mode, rounding, exclude, box)


def modes():
    for mode in MODES:
        yield f"linear_{mode}", "x:float32[m,2,4,5]", lambda x, m=mode: topi.image.resize2d(x, [0.0] * 4, (8, 7), coordinate_transformation_mode=m), lambda x, m=mode: _linear(x, (8, 7), m), {"rtol": 1e-4}
        for method in ("nearest_neighbor", "cubic"):
            yield f"{method}_{mode}", "x:float32[1,1,4]", lambda x, m=mode, k=method: topi.image.resize1d(x, [0.0, 0.0], (6,), method=k, coordinate_transformation_mode=m), lambda x, m=mode, k=method: _row(x, k, m), {"sizes": [{}]}
    for method in ("nearest_neighbor", "linear"):
        yield f"{method}_crop", "x:float32[1,1,4]", lambda x, k=method: topi.image.resize1d(x, [0.1, 0.9], (6,), method=k, coordinate_transformation_mode="tf_crop_and_resize"), lambda x, k=method: _row(x, k, "tf_crop_and_resize", box=(0.1, 0.9)), {"sizes": [{}]}


def options():
    for rounding in ("round", "floor", "ceil", "round_prefer_ceil", "round_prefer_floor"):
        yield rounding, "x:float32[1,1,4]", lambda x, r=rounding: topi.image.resize1d(x, [0.0, 0.0], (6,), method="nearest_neighbor", rounding_method=r), lambda x, r=rounding: _row(x, "nearest_neighbor", "half_pixel", rounding=r), {"sizes": [{}]}
    yield "exclude", "x:float32[1,1,4]", lambda x: topi.image.resize1d(x, [0.0, 0.0], (6,), method="cubic", bicubic_exclude=1), lambda x: _row(x, "cubic", "half_pixel", exclude=True), {"sizes": [{}], "rtol": 1e-4}
    yield "nhwc", "x:float32[1,4,5,2]", lambda x: topi.image.resize2d(x, [0.0] * 4, (8, 7), "NHWC"), lambda x: _linear(x.transpose(0, 3, 1, 2), (8, 7), "half_pixel").transpose(0, 2, 3, 1), {"sizes": [{}], "rtol": 1e-4}
    yield "three", "x:float32[1,1,3,4,5]", lambda x: topi.image.resize3d(x, [0.0] * 6, (4, 5, 7)), lambda x: _linear(x, (4, 5, 7), "half_pixel"), {"sizes": [{}], "rtol": 1e-4}
    yield "twice", "x:float32[1,2,4,4]", lambda x: topi.image.resize2d(x, [0.0] * 4, (8, 8), method="nearest_neighbor", coordinate_transformation_mode="asymmetric"), lambda x: x.repeat(2, 2).repeat(2, 3), {"sizes": [{}]}
    yield "twice_rounded", "x:float32[1,2,3,4]", lambda x: topi.image.resize2d(x, [0.0] * 4, (9, 8), method="nearest_neighbor", coordinate_transformation_mode="asymmetric", rounding_method="round"), lambda x: x.repeat(3, 2).repeat(2, 3), {"sizes": [{}]}
    yield "half", "x:float16[1,2,4,4]", lambda x: topi.image.resize2d(x, [0.0] * 4, (8, 6)), lambda x: _linear(x.astype("float32"), (8, 6), "half_pixel").astype("float16"), {"sizes": [{}], "rtol": 1e-2}
    yield "symbols", "x:float32[n,2,h,w]", lambda x: topi.image.resize2d(x, [0.0] * 4, (8, 6)), lambda x: _linear(x, (8, 6), "half_pixel"), {"sizes": [{"n": 2, "h": 5, "w": 3}], "rtol": 1e-4}
