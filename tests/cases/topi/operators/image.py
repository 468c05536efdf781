"""Dilation, enlarging, correlation, sampling and cropping of images."""

#: where the text differs from TVM's
DIFFERENT = {
    **dict.fromkeys(
        ["sampling.reflect", "sampling.reflect_corners", "sampling.nearest_reflect"],
        "TVM finds the side of a mirrored coordinate by a remainder of integers: twice the time to compile",
    ),
    **dict.fromkeys(
        ["deformable.nchw", "deformable.groups", "deformable.nhwc"],
        "TVM gives 0 where a coordinate is outside; torchvision, and this, have 0 for the elements outside",
    ),
}


def _dilation(x, w, stride, pad, dilation):
    x = np.pad(x, [(0, 0), (0, 0), (pad, pad), (pad, pad)])
    sizes = [(s - 1) * d + 1 for s, d in zip(w.shape[1:], dilation)]
    windows = np.lib.stride_tricks.sliding_window_view(x, sizes, (2, 3))[:, :, :: stride[0], :: stride[1], :: dilation[0], :: dilation[1]]
    return (windows + w[:, None, None]).max((-1, -2))


def dilation():
    yield "nchw", "x:float32[n,3,8,8] w:float32[3,3,2]", lambda x, w: topi.image.dilation2d_nchw(x, w, 1, 1, 1), lambda x, w: _dilation(x, w, (1, 1), 1, (1, 1))
    yield "nhwc", "x:float32[n,8,8,3] w:float32[3,2,3]", lambda x, w: topi.image.dilation2d_nhwc(x, w, (2, 1), "SAME", (1, 2)), lambda x, w: _dilation(x.transpose(0, 3, 1, 2), w.transpose(2, 0, 1), (2, 1), 1, (1, 2)).transpose(0, 2, 3, 1)


def upsampling():
    grow = lambda x, *scales: np.repeat(np.repeat(x, scales[0], -2), scales[1], -1)
    yield "nearest", "x:float32[n,3,4,5]", lambda x: topi.nn.upsampling(x, 2, 3), lambda x: grow(x, 2, 3)
    yield "nearest_nhwc", "x:float32[n,4,5,3]", lambda x: topi.nn.upsampling(x, 2, 2, "NHWC"), lambda x: np.repeat(np.repeat(x, 2, 1), 2, 2)
    yield "align_corners", "x:float32[n,3,4,5]", lambda x: topi.nn.upsampling(x, 2.0, 3.0, "NCHW", "bilinear", True), lambda x: topi.testing.resize2d_python(x, (2, 3), method="linear"), {"rtol": 1e-4}
    yield "volume", "x:float32[n,3,2,4,5]", lambda x: topi.nn.upsampling3d(x, 2, 2, 3), lambda x: x[:, :, [0, 0, 0, 1]][:, :, :, [0, 0, 0, 1, 1, 2, 2, 3]][..., [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4]]


def correlation():
    yield "product", "x:float32[1,3,8,8] y:float32[1,3,8,8]", lambda x, y: topi.nn.correlation_nchw(x, y, 3, 2, 1, 1, 2, True), lambda x, y: topi.testing.correlation_nchw_python(x, y, 3, 2, 1, 1, 2, True), {"rtol": 1e-4}
    yield "difference", "x:float32[2,3,8,8] y:float32[2,3,8,8]", lambda x, y: topi.nn.correlation_nchw(x, y, 1, 2, 2, 2, 2, False), lambda x, y: topi.testing.correlation_nchw_python(x, y, 1, 2, 2, 2, 2, False), {"rtol": 1e-4}


def sampling():
    grid = "x:float32[n,3,6,7] g:float32[n,2,4,5]{-1.5:1.5}"
    for name, options in {
        "zeros": (), "border": ("bilinear", "border", False), "reflect": ("bilinear", "reflection", False),
        "reflect_corners": ("bilinear", "reflection", True), "nearest": ("nearest", "zeros", True),
        "nearest_border": ("nearest", "border", False), "nearest_reflect": ("nearest", "reflection", True),
        "cubic": ("bicubic", "zeros", True), "cubic_border": ("bicubic", "border", False),
    }.items():
        yield name, grid, lambda x, g, o=options: topi.image.grid_sample(x, g, *o[:1], **dict(zip(("padding_mode", "align_corners"), o[1:]))), lambda x, g, o=options: topi.testing.grid_sample_python(x, g, *o[:1], *["NCHW"][: len(o)], *o[1:]), {"rtol": 1e-3}
    yield "volume", "x:float32[n,2,4,5,6] g:float32[n,3,2,3,4]{-1.5:1.5}", lambda x, g: topi.image.grid_sample(x, g, "bilinear", "NCDHW"), lambda x, g: topi.testing.grid_sample_python(x, g, "bilinear", "NCDHW"), {"rtol": 1e-3}
    yield "volume_nearest", "x:float32[n,2,4,5,6] g:float32[n,3,2,3,4]{-1.5:1.5}", lambda x, g: topi.image.grid_sample(x, g, "nearest", "NCDHW", "border"), lambda x, g: topi.testing.grid_sample_python(x, g, "nearest", "NCDHW", "border"), {"rtol": 1e-3}
    yield "affine_grid", "x:float32[n,2,3]", lambda x: topi.image.affine_grid(x, (4, 5)), lambda x: topi.testing.affine_grid_python(x, (4, 5)), {"rtol": 1e-4}


def crops():
    spec = "b:float32[n,4]{-0.2:1.2} i:int32[n]{0:2}"
    yield "nchw", f"x:float32[2,3,8,9] {spec}", lambda x, b, i: topi.image.crop_and_resize(x, b, i, [4, 5], extrapolation_value=0.5), lambda x, b, i: topi.testing.crop_and_resize_python(x, b, i, (4, 5), "NCHW", extrapolation_value=0.5), {"rtol": 1e-3}
    yield "nhwc", f"x:float32[2,8,9,3] {spec}", lambda x, b, i: topi.image.crop_and_resize(x, b, i, [4, 5], "NHWC", "nearest_neighbor", 2.0), lambda x, b, i: topi.testing.crop_and_resize_python(x, b, i, (4, 5), "NHWC", "nearest_neighbor", 2.0), {"rtol": 1e-3}


def deformable():
    yield "nchw", "x:float32[1,4,5,5] o:float32[1,18,5,5] w:float32[2,4,3,3]", lambda x, o, w: topi.nn.deformable_conv2d_nchw(x, o, w, 1, 1, 1, 1, 1, None), lambda x, o, w: topi.testing.deformable_conv2d_nchw_python(x, o, w, 1, 1, 1, 1, 1), {"rtol": 1e-3}
    yield "groups", "x:float32[1,4,5,5] o:float32[1,36,5,5] w:float32[2,2,3,3]", lambda x, o, w: topi.nn.deformable_conv2d_nchw(x, o, w, 1, 1, 1, 2, 2, None), lambda x, o, w: topi.testing.deformable_conv2d_nchw_python(x, o, w, 1, 1, 1, 2, 2), {"rtol": 1e-3}
    yield "nhwc", "x:float32[1,5,5,4] o:float32[1,5,5,18] w:float32[3,3,4,2]", lambda x, o, w: topi.nn.deformable_conv2d_nhwc(x, o, w, 1, 1, 1, 1, 1, None), lambda x, o, w: topi.testing.deformable_conv2d_nhwc_python(x, o, w, 1, 1, 1, 1, 1), {"rtol": 1e-3}
