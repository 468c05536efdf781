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


def dynamic():
    """Images, channels and filters of symbolic sizes."""
    nn, image = topi.nn, topi.image
    some = {"rtol": 1e-4, "positive": True}
    for stride, dilation in ((1, 1), (2, 1), (1, 2)):
        key, pad = f"s{stride}d{dilation}", dilation
        a = stride, pad, dilation
        for name, operator, data, kernel, layouts in (
            ("1d_ncw", nn.conv1d_ncw, "2,m,n", "k,m,2", ("NCW", "OIW")),
            ("1d_nwc", nn.conv1d_nwc, "2,n,m", "2,m,k", ("NWC", "WIO")),
            ("2d_nchw", nn.conv2d_nchw, "2,m,n,k", "3,m,2,2", ("NCHW", "OIHW")),
            ("2d_nhwc", nn.conv2d_nhwc, "2,n,k,m", "2,2,m,3", ("NHWC", "HWIO")),
            ("2d_hwcn", nn.conv2d_hwcn, "n,k,m,2", "2,2,m,3", ("HWCN", "HWIO")),
            ("2d_filters", nn.conv2d_nchw, "n,m,4,4", "k,m,2,2", ("NCHW", "OIHW")),
        ):
            yield f"conv{name}_{key}", f"x:float32[{data}] w:float32[{kernel}]", lambda x, w, f=operator, a=a: f(x, w, *a), lambda x, w, a=a, at=layouts: _conv(x, w, *a, 1, *at), some
        for name, operator, data, kernel, layouts in (
            ("3d_ncdhw", nn.conv3d_ncdhw, "1,4,n,m,k", "2,2,2,2,2", ("NCDHW", "OIDHW")),
            ("3d_ndhwc", nn.conv3d_ndhwc, "1,n,m,k,4", "2,2,2,2,2", ("NDHWC", "DHWIO")),
            ("1d_groups", nn.group_conv1d_ncw, "m,4,n", "k,2,2", ("NCW", "OIW")),
            ("1d_groups_nwc", nn.group_conv1d_nwc, "m,n,4", "2,2,6", ("NWC", "WIO")),
            ("2d_groups", nn.group_conv2d_nchw, "2,4,n,k", "6,2,2,2", ("NCHW", "OIHW")),
            ("2d_groups_nhwc", nn.group_conv2d_nhwc, "2,n,k,4", "2,2,2,6", ("NHWC", "HWIO")),
        ):
            if name == "1d_groups":
                kernel = "6,2,2"
            yield f"conv{name}_{key}", f"x:float32[{data}] w:float32[{kernel}]", lambda x, w, f=operator, a=a: f(x, w, *a, 2), lambda x, w, a=a, at=layouts: _conv(x, w, *a, 2, *at), some
        yield f"depthwise_{key}", "x:float32[2,m,n,k] w:float32[m,2,2,2]", lambda x, w, a=a: nn.depthwise_conv2d_nchw(x, w, *a), lambda x, w, a=a: _conv(x, w.reshape(-1, 1, 2, 2), *a, x.shape[1]), some
        yield f"depthwise_nhwc_{key}", "x:float32[2,n,k,m] w:float32[2,2,m,1]", lambda x, w, a=a: nn.depthwise_conv2d_nhwc(x, w, *a), lambda x, w, a=a: _conv(x.transpose(0, 3, 1, 2), w.transpose(2, 3, 0, 1), *a, x.shape[3]).transpose(0, 2, 3, 1), some
    for stride in (1, 2):
        for rank, operator, data, kernel in ((1, nn.conv1d_transpose_ncw, "2,m,n", "m,k,2"), (2, nn.conv2d_transpose_nchw, "2,m,n,k", "m,3,2,2"), (3, nn.conv3d_transpose_ncdhw, "1,2,n,m,k", "2,1,2,2,2")):
            steps, pads, extra = [stride] * rank, [0] * rank, [0] * rank
            yield f"transposed{rank}d_{stride}", f"x:float32[{data}] w:float32[{kernel}]", lambda x, w, f=operator, a=(steps, pads), e=extra: f(x, w, *a, x.dtype, e), lambda x, w, a=(steps, pads, extra): _transposed(x, w, *a), some
    for kind in ("max", "avg"):
        for rank, data, layout in ((1, "2,m,n", "NCW"), (1, "2,n,m", "NWC"), (2, "2,m,n,k", "NCHW"), (2, "2,n,k,m", "NHWC"), (3, "2,1,n,m,k", "NCDHW"), (3, "2,n,m,k,1", "NDHWC")):
            order = [0, layout.index("C"), *(place for place, letter in enumerate(layout) if letter in "DHW")]
            back = [order.index(place) for place in range(rank + 2)]
            for stride in (1, 2):
                args = [2] * rank, [stride] * rank, [1] * rank, [1] * 2 * rank, kind
                yield f"pool{rank}d_{kind}{layout}{stride}", f"x:float32[{data}]", lambda x, r=rank, a=args, at=layout: getattr(nn, f"pool{r}d")(x, *a, layout=at), lambda x, r=rank, a=args, o=order, b=back: topi.testing.poolnd_python(x.transpose(o), a[0], a[1], a[2], a[3][:r], a[3][r:], a[4], True, False).transpose(b), some
            adaptive = nn.adaptive_pool if rank == 2 else getattr(nn, f"adaptive_pool{rank}d")
            yield f"adaptive{rank}d_{kind}{layout}", f"x:float32[{data}]", lambda x, f=adaptive, r=rank, k=kind, at=layout: f(x, [3, 2, 4][:r], k, at), lambda x, r=rank, k=kind, at=layout: topi.testing.adaptive_pool(x, [3, 2, 4][:r], k, at), some
        yield f"global_{kind}", "x:float32[2,m,n,k]", lambda x, k=kind: nn.global_pool(x, k), lambda x, k=kind: topi.testing.adaptive_pool(x, (1, 1), k, "NCHW"), some
    for method in ("nearest_neighbor", "linear", "cubic"):
        for mode in ("half_pixel", "align_corners", "asymmetric"):
            yield f"resize1d_{method}_{mode}", "x:float32[2,m,n]", lambda x, k=method, m=mode: image.resize1d(x, [0.0] * 2, [6], method=k, coordinate_transformation_mode=m), lambda x, k=method, m=mode: _resized(x, [6], k, m), {"rtol": 1e-3, "positive": True}
            yield f"resize2d_{method}_{mode}", "x:float32[2,m,n,k]", lambda x, k=method, m=mode: image.resize2d(x, [0.0] * 4, [6, 3], method=k, coordinate_transformation_mode=m), lambda x, k=method, m=mode: _resized(x, [6, 3], k, m), {"rtol": 1e-3, "positive": True}
            if method != "cubic":
                yield f"resize3d_{method}_{mode}", "x:float32[2,1,m,n,k]", lambda x, k=method, m=mode: image.resize3d(x, [0.0] * 6, [6, 3, 2], method=k, coordinate_transformation_mode=m), lambda x, k=method, m=mode: _resized(x, [6, 3, 2], k, m), {"rtol": 1e-3, "positive": True}
    for method, padding in product(("nearest", "bilinear", "bicubic"), ("zeros", "border")):
        yield f"grid_sample_{method}_{padding}", "x:float32[2,m,n,k] g:float32[2,2,k,n]{-1:1}", lambda x, g, a=(method, "NCHW", padding): image.grid_sample(x, g, *a), lambda x, g, a=(method, "NCHW", padding): topi.testing.grid_sample_python(x, g, *a), {"rtol": 1e-3, "positive": True}
    yield "upsampling", "x:float32[2,m,n,k]", lambda x: nn.upsampling(x, 2, 3), lambda x: x.repeat(2, 2).repeat(3, 3), some
    yield "upsampling3d", "x:float32[2,1,n,m,k]", lambda x: nn.upsampling3d(x, 2, 3, 2, coordinate_transformation_mode="asymmetric"), lambda x: x.repeat(2, 2).repeat(3, 3).repeat(2, 4), some
