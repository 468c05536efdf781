"""Convolutions, pooling and resizing: products of strides, pads, dilations, groups and sizes."""

from itertools import product

FLOATS = ("float32", "float64", "float16")
_turn = [0]


def _dtype():
    _turn[0] += 1
    return FLOATS[_turn[0] % 3]


def _conv(*args):
    return tvm.testing.operator_references.convolution.convolve(*args)


def _transposed(*args):
    return tvm.testing.operator_references.convolution.convolve_transposed(*args)


CLOSE = {"rtol": 1e-4}


def conv():
    nn = topi.nn
    for batch, stride, pad, dilation, groups in product(("n", "1", "0"), (1, 2, 3), (0, 1), (1, 2), (1, 2)):
        key, dtype = f"{batch}_s{stride}p{pad}d{dilation}g{groups}", _dtype()
        taps = 4 // groups
        yield f"conv1d_{key}", f"x:{dtype}[{batch},4,9] w:{dtype}[6,{taps},3]", lambda x, w, a=(stride, pad, dilation), g=groups: nn.group_conv1d_ncw(x, w, *a, g) if g > 1 else nn.conv1d_ncw(x, w, *a), lambda x, w, a=(stride, pad, dilation, groups): _conv(x, w, *a, "NCW", "OIW"), CLOSE
        yield f"conv2d_{key}", f"x:{dtype}[{batch},4,7,5] w:{dtype}[4,{taps},3,2]", lambda x, w, a=(stride, pad, dilation), g=groups: nn.group_conv2d_nchw(x, w, *a, g) if g > 1 else nn.conv2d_nchw(x, w, *a), lambda x, w, a=(stride, pad, dilation, groups): _conv(x, w, *a), CLOSE
        yield f"conv2d_nhwc_{key}", f"x:{dtype}[{batch},7,5,4] w:{dtype}[3,2,{taps},4]", lambda x, w, a=(stride, pad, dilation), g=groups: nn.group_conv2d_nhwc(x, w, *a, g) if g > 1 else nn.conv2d_nhwc(x, w, *a), lambda x, w, a=(stride, pad, dilation, groups): _conv(x, w, *a, "NHWC", "HWIO"), CLOSE
        yield f"conv3d_{key}", f"x:{dtype}[{batch},2,5,4,3] w:{dtype}[2,{2 // groups},3,1,2]", lambda x, w, a=(stride, (1, pad, pad), dilation, groups): nn.conv3d_ncdhw(x, w, *a), lambda x, w, a=(stride, (1, pad, pad), dilation, groups): _conv(x, w, *a, "NCDHW", "OIDHW"), CLOSE
        yield f"depthwise_{key}", f"x:{dtype}[{batch},3,7,5] w:{dtype}[3,{groups},3,2]", lambda x, w, a=(stride, pad, dilation): nn.depthwise_conv2d_nchw(x, w, *a), lambda x, w, a=(stride, pad, dilation): _conv(x, w.reshape(-1, 1, 3, 2), *a, 3), CLOSE
    for dtype, out in (("int8", "int32"), ("uint8", "int32"), ("int16", "int32"), ("float16", "float32"), ("bfloat16", "float32")):
        for batch in ("n", "1"):
            yield f"conv2d_{dtype}_{out}{batch}", f"x:{dtype}[{batch},3,5,5] w:{dtype}[2,3,3,3]", lambda x, w, o=out: nn.conv2d_nchw(x, w, 1, 1, 1, o), lambda x, w, o=out: _conv(x.astype(o), w.astype(o), 1, 1, 1, 1), CLOSE


def transposed():
    nn = topi.nn
    for batch, stride, pad, extra, groups in product(("n", "1", "0"), (1, 2, 3), (0, 1), (0, 1), (1, 2)):
        if extra >= stride:
            continue
        key, dtype = f"{batch}_s{stride}p{pad}o{extra}g{groups}", _dtype()
        yield f"conv1d_{key}", f"x:{dtype}[{batch},4,5] w:{dtype}[4,{2 // groups},3]", lambda x, w, s=stride, p=pad, o=extra, g=groups: nn.group_conv1d_transpose_ncw(x, w, s, p, x.dtype, o, g) if g > 1 else nn.conv1d_transpose_ncw(x, w, s, p, x.dtype, o), lambda x, w, s=stride, p=pad, o=extra, g=groups: _transposed(x, w, [s], [p], [o], g), CLOSE
        yield f"conv2d_{key}", f"x:{dtype}[{batch},4,3,4] w:{dtype}[4,{2 // groups},3,2]", lambda x, w, s=stride, p=pad, o=extra, g=groups: nn.group_conv2d_transpose_nchw(x, w, (s, s), (p, p), x.dtype, (o, o), g) if g > 1 else nn.conv2d_transpose_nchw(x, w, (s, s), (p, p), x.dtype, (o, o)), lambda x, w, s=stride, p=pad, o=extra, g=groups: _transposed(x, w, [s, s], [p, p], [o, o], g), CLOSE
        yield f"conv3d_{key}", f"x:{dtype}[{batch},2,3,2,3] w:{dtype}[2,{2 // groups},3,2,3]", lambda x, w, s=stride, p=pad, o=extra, g=groups: nn.group_conv3d_transpose_ncdhw(x, w, (s,) * 3, (p,) * 3, x.dtype, (o,) * 3, g) if g > 1 else nn.conv3d_transpose_ncdhw(x, w, (s,) * 3, (p,) * 3, x.dtype, (o,) * 3), lambda x, w, s=stride, p=pad, o=extra, g=groups: _transposed(x, w, [s] * 3, [p] * 3, [o] * 3, g), CLOSE


def pool():
    nn = topi.nn
    for batch, kind, kernel, stride, dilation, pad, ceil, counted in product(("n", "0"), ("max", "avg"), (1, 2, 3), (1, 2), (1, 2), (0, 1), (False, True), (True, False)):
        if pad * 2 > kernel or (kind == "max" and not counted):
            continue
        key, dtype = f"{batch}_{kind}k{kernel}s{stride}d{dilation}p{pad}c{ceil:d}{counted:d}", _dtype()
        for rank, shape in ((1, "2,8"), (2, "2,8,7"), (3, "1,6,5,4")):
            extents = [int(extent) + 2 * pad for extent in shape.split(",")[1:]]
            taps = dilation * (kernel - 1) + 1
            # windows of padding alone have no value
            if any(taps > extent or (ceil and -(-(extent - taps) // stride) * stride >= extent - pad) for extent in extents):
                continue
            args = [kernel] * rank, [stride] * rank, [dilation] * rank, [pad] * 2 * rank, kind, ceil
            yield f"pool{rank}d_{key}", f"x:{dtype}[{batch},{shape}]", lambda x, r=rank, a=args, c=counted: getattr(nn, f"pool{r}d")(x, *a, count_include_pad=c), lambda x, r=rank, a=args, c=counted: topi.testing.poolnd_python(x, a[0], a[1], a[2], a[3][:r], a[3][r:], a[4], c, a[5]), CLOSE
    for batch, kind, sizes in product(("n", "0"), ("max", "avg"), ((1, 1), (3, 2), (7, 6), (8, 5), (2, 6))):
        yield f"adaptive_{batch}{kind}{sizes}", f"x:{_dtype()}[{batch},2,7,6]", lambda x, s=sizes, k=kind: nn.adaptive_pool(x, s, k), lambda x, s=sizes, k=kind: topi.testing.adaptive_pool(x, s, k, "NCHW"), CLOSE
        yield f"adaptive1d_{batch}{kind}{sizes}", f"x:{_dtype()}[{batch},2,7]", lambda x, s=sizes, k=kind: nn.adaptive_pool1d(x, [s[0]], k), lambda x, s=sizes, k=kind: topi.testing.adaptive_pool(x, [s[0]], k, "NCW"), CLOSE
        yield f"global_{batch}{kind}{sizes}", f"x:{_dtype()}[{batch},2,{sizes[0]},{sizes[1]}]", lambda x, k=kind: nn.global_pool(x, k), lambda x, k=kind: topi.testing.adaptive_pool(x, (1, 1), k, "NCHW"), CLOSE


def resize():
    for batch, method, mode, size in product(("n", "0"), ("nearest_neighbor", "linear", "cubic"), ("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn"), ((8, 7), (2, 3), (4, 5), (1, 1))):
        if mode == "tf_half_pixel_for_nn" and method != "nearest_neighbor":
            continue
        yield f"resize2d_{batch}{method}_{mode}{size}", f"x:float32[{batch},2,4,5]", lambda x, s=size, k=method, m=mode: topi.image.resize2d(x, [0.0] * 4, s, method=k, coordinate_transformation_mode=m), lambda x, s=size, k=method, m=mode: _resized(x, s, k, m), {"rtol": 1e-3}
        yield f"resize1d_{batch}{method}_{mode}{size}", f"x:float64[{batch},2,5]", lambda x, s=size, k=method, m=mode: topi.image.resize1d(x, [0.0] * 2, s[1:], method=k, coordinate_transformation_mode=m), lambda x, s=size, k=method, m=mode: _resized(x, s[1:], k, m), {"rtol": 1e-3}


def _resized(x, sizes, method, mode):
    """Interpolate one axis after another, as ONNX defines it."""
    y = x.astype("float64")
    for axis, size in enumerate(sizes, 2):
        length = x.shape[axis]
        rows = []
        for i in range(size):
            scale = length / size
            place = {
                "half_pixel": (i + 0.5) * scale - 0.5, "align_corners": i * (length - 1) / (size - 1) if size > 1 else 0.0, "asymmetric": i * scale,
                "pytorch_half_pixel": (i + 0.5) * scale - 0.5 if size > 1 else 0.0, "tf_half_pixel_for_nn": (i + 0.5) * scale,
            }[mode]
            rows.append(_sample(np.moveaxis(y, axis, 0), place, method, mode))
        y = np.moveaxis(np.stack(rows), 0, axis)
    return y


def _sample(rows, place, method, mode):
    last = len(rows) - 1
    at = lambda k: rows[min(max(int(k), 0), last)]
    if method == "nearest_neighbor":
        rounding = {"align_corners": np.floor(place + 0.5 + 1e-5)}
        return at(rounding.get(mode, np.floor(place + 1e-5)))
    first = np.floor(place)
    t = place - first
    if method == "linear":
        return at(first) * (1 - t) + at(first + 1) * t
    a = -0.5
    weights = [((a * (t + 1) - 5 * a) * (t + 1) + 8 * a) * (t + 1) - 4 * a, ((a + 2) * t - (a + 3)) * t * t + 1, ((a + 2) * (1 - t) - (a + 3)) * (1 - t) ** 2 + 1, ((a * (2 - t) - 5 * a) * (2 - t) + 8 * a) * (2 - t) - 4 * a]
    return sum(w * at(first + k) for w, k in zip(weights, (-1, 0, 1, 2)))
