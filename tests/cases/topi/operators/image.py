"""Dilation, enlarging, correlation, sampling and cropping of images."""

#: where the text differs from TVM's
DIFFERENT = {
    **dict.fromkeys(
        ["sampling.zeros", "sampling.border"],
        "with sizes of 64 bits TVM moves a constant to the other side of a comparison",
    ),
    **dict.fromkeys(
        ["sampling.reflect", "sampling.reflect_corners", "sampling.nearest_reflect"],
        "TVM finds the side of a mirrored coordinate by a remainder of integers",
    ),
    **dict.fromkeys(["sampling.cubic", "sampling.cubic_border"], "TVM evaluates the weights in another form"),
    "sampling.volume": "TVM multiplies the weights in the order x, y, z",
    "crops.nchw": "TVM interpolates by differences",
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
    yield "align_corners", "x:float32[n,3,4,5]", lambda x: topi.nn.upsampling(x, 2.0, 3.0, "NCHW", "bilinear", True), lambda x: np.stack([np.stack([_bilinear(a, 8, 15) for a in b]) for b in x]).astype("float32") if len(x) else np.zeros((0, 3, 8, 15), "float32"), {"rtol": 1e-4}
    yield "volume", "x:float32[n,3,2,4,5]", lambda x: topi.nn.upsampling3d(x, 2, 2, 3), lambda x: x[:, :, [0, 0, 0, 1]][:, :, :, [0, 0, 0, 1, 1, 2, 2, 3]][..., [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4]]


def _bilinear(a, height, width):
    """An image of another size with the same corners."""
    rows, columns = np.linspace(0, a.shape[0] - 1, height), np.linspace(0, a.shape[1] - 1, width)
    a = np.stack([np.interp(columns, np.arange(a.shape[1]), row) for row in a])
    return np.stack([np.interp(rows, np.arange(a.shape[0]), column) for column in a.T], 1)


def _correlation(x, y, kernel, reach, stride1, stride2, pad, multiplies):
    x, y = (np.pad(a, [(0, 0), (0, 0), (pad, pad), (pad, pad)]) for a in (x, y))
    border = reach + (kernel - 1) // 2
    size = -(-(x.shape[2] - 2 * border) // stride1)
    steps = range(-(reach // stride2), reach // stride2 + 1)
    result = []
    for i, j in np.ndindex(size, size):
        top, left = i * stride1 + reach, j * stride1 + reach
        a = x[:, :, top : top + kernel, left : left + kernel]
        for u in steps:
            for v in steps:
                b = y[:, :, top + u * stride2 :, left + v * stride2 :][:, :, :kernel, :kernel]
                result.append((a * b if multiplies else abs(a - b)).mean((1, 2, 3)))
    return np.array(result).reshape(size, size, len(steps) ** 2, len(x)).transpose(3, 2, 0, 1)


def correlation():
    yield "product", "x:float32[1,3,8,8] y:float32[1,3,8,8]", lambda x, y: topi.nn.correlation_nchw(x, y, 3, 2, 1, 1, 2, True), lambda x, y: _correlation(x, y, 3, 2, 1, 1, 2, True), {"rtol": 1e-4}
    yield "difference", "x:float32[2,3,8,8] y:float32[2,3,8,8]", lambda x, y: topi.nn.correlation_nchw(x, y, 1, 2, 2, 2, 2, False), lambda x, y: _correlation(x, y, 1, 2, 2, 2, 2, False), {"rtol": 1e-4}


def _read(a, indices, outside=0.0):
    """The element of planes `[channels, ...]` at indices."""
    inside = all(0 <= i < n for i, n in zip(indices, a.shape[1:]))
    return a[(slice(None), *indices)] if inside else np.full(a.shape[0], outside, a.dtype)


def _linear(a, place, read=_read):
    """Linear interpolation of planes at a place."""
    low = [int(np.floor(x)) for x in place]
    total = 0
    for corner in np.ndindex(*[2] * len(low)):
        weight = np.prod([x - i if side else 1 - (x - i) for x, i, side in zip(place, low, corner)])
        total = total + weight * read(a, [i + side for i, side in zip(low, corner)])
    return total


def _keys(a, place, clip):
    """Cubic convolution of planes at a place."""
    def weight(t):
        t = abs(t)
        return (1.25 * t - 2.25) * t * t + 1 if t <= 1 else ((-0.75 * t + 3.75) * t - 6) * t + 3
    low = [int(np.floor(x)) for x in place]
    total = 0
    for u in range(-1, 3):
        for v in range(-1, 3):
            spot = [int(clip(low[0] + u, 0)), int(clip(low[1] + v, 1))] if clip else [low[0] + u, low[1] + v]
            total = total + weight(place[0] - low[0] - u) * weight(place[1] - low[1] - v) * _read(a, spot)
    return total


def _mirror(x, low, high):
    while not low <= x <= high:
        x = 2 * low - x if x < low else 2 * high - x
    return x


def _grid(x, g, method="bilinear", padding="zeros", corners=True):
    sizes = x.shape[2:]
    out = np.zeros((*x.shape[:2], *g.shape[2:]), "float32")

    def fit(place, n):
        size = sizes[n]
        if padding == "border":
            return np.clip(place, 0, size - 1)
        if padding == "reflection":
            return np.clip(_mirror(place, 0, size - 1) if corners else _mirror(place, -0.5, size - 0.5), 0, size - 1)
        return place

    for spot in np.ndindex(len(x), *g.shape[2:]):
        raw = [g[(spot[0], len(sizes) - 1 - n, *spot[1:])] for n in range(len(sizes))]
        place = [(r + 1) * (s - 1) / 2 if corners else ((r + 1) * s - 1) / 2 for r, s in zip(raw, sizes)]
        a = x[spot[0]]
        if method == "bicubic":
            value = _keys(a, place, fit if padding != "zeros" else None)
        else:
            place = [fit(p, n) for n, p in enumerate(place)]
            value = _linear(a, place) if method == "bilinear" else _read(a, [int(np.rint(p)) for p in place])
        out[(spot[0], slice(None), *spot[1:])] = value
    return out


def sampling():
    grid = "x:float32[n,3,6,7] g:float32[n,2,4,5]{-1.5:1.5}"
    for name, options in {
        "zeros": (), "border": ("bilinear", "border", False), "reflect": ("bilinear", "reflection", False),
        "reflect_corners": ("bilinear", "reflection", True), "nearest": ("nearest", "zeros", True),
        "nearest_border": ("nearest", "border", False), "nearest_reflect": ("nearest", "reflection", True),
        "cubic": ("bicubic", "zeros", True), "cubic_border": ("bicubic", "border", False),
    }.items():
        yield name, grid, lambda x, g, o=options: topi.image.grid_sample(x, g, *o[:1], **dict(zip(("padding_mode", "align_corners"), o[1:]))), lambda x, g, o=options: _grid(x, g, *o), {"rtol": 1e-3}
    yield "volume", "x:float32[n,2,4,5,6] g:float32[n,3,2,3,4]{-1.5:1.5}", lambda x, g: topi.image.grid_sample(x, g, "bilinear", "NCDHW"), _grid, {"rtol": 1e-3}
    yield "volume_nearest", "x:float32[n,2,4,5,6] g:float32[n,3,2,3,4]{-1.5:1.5}", lambda x, g: topi.image.grid_sample(x, g, "nearest", "NCDHW", "border"), lambda x, g: _grid(x, g, "nearest", "border"), {"rtol": 1e-3}
    yield "affine_grid", "x:float32[n,2,3]", lambda x: topi.image.affine_grid(x, (4, 5)), lambda x: np.einsum("nij,jhw->nihw", x, np.stack([*np.meshgrid(np.linspace(-1, 1, 5), np.linspace(-1, 1, 4)), np.ones((4, 5))])).astype("float32"), {"rtol": 1e-4}


def _crops(x, boxes, images, size, method="bilinear", outside=0.0):
    """Crops of images, channels second."""
    out = np.zeros((len(boxes), x.shape[1], *size), "float32")
    for k, h, w in np.ndindex(len(boxes), *size):
        box, a = boxes[k], x[images[k]]
        place = [(box[n] + (box[n + 2] - box[n]) * i / (size[n] - 1)) * (a.shape[n + 1] - 1) for n, i in enumerate((h, w))]
        if any(p < 0 or p > s - 1 for p, s in zip(place, a.shape[1:])):
            out[k, :, h, w] = outside
        elif method == "bilinear":
            out[k, :, h, w] = _linear(a, place, lambda a, i: _read(a, [min(j, s - 1) for j, s in zip(i, a.shape[1:])]))
        else:
            out[k, :, h, w] = _read(a, [int(np.round(p)) for p in place])
    return out


def crops():
    spec = "b:float32[n,4]{-0.2:1.2} i:int32[n]{0:2}"
    yield "nchw", f"x:float32[2,3,8,9] {spec}", lambda x, b, i: topi.image.crop_and_resize(x, b, i, [4, 5], extrapolation_value=0.5), lambda x, b, i: _crops(x, b, i, (4, 5), outside=0.5), {"rtol": 1e-3}
    yield "nhwc", f"x:float32[2,8,9,3] {spec}", lambda x, b, i: topi.image.crop_and_resize(x, b, i, [4, 5], "NHWC", "nearest_neighbor", 2.0), lambda x, b, i: _crops(x.transpose(0, 3, 1, 2), b, i, (4, 5), "nearest", 2.0).transpose(0, 2, 3, 1), {"rtol": 1e-3}


def _deformable(x, o, w, pad, groups=1, offset_groups=1):
    out = np.zeros((len(x), len(w), *o.shape[2:]), "float32")
    _, inner, kh, kw = w.shape
    for n, f, y, c in np.ndindex(*out.shape):
        for k, h, v in np.ndindex(inner, kh, kw):
            channel = f // (len(w) // groups) * inner + k
            first = channel // (x.shape[1] // offset_groups) * kh * kw * 2 + (h * kw + v) * 2
            place = [y + h - pad + o[n, first, y, c], c + v - pad + o[n, first + 1, y, c]]
            out[n, f, y, c] += _linear(x[n, channel : channel + 1], place)[0] * w[f, k, h, v]
    return out


def deformable():
    yield "nchw", "x:float32[1,4,5,5] o:float32[1,18,5,5] w:float32[2,4,3,3]", lambda x, o, w: topi.nn.deformable_conv2d_nchw(x, o, w, 1, 1, 1, 1, 1, None), lambda x, o, w: _deformable(x, o, w, 1), {"rtol": 1e-3}
    yield "groups", "x:float32[1,4,5,5] o:float32[1,36,5,5] w:float32[2,2,3,3]", lambda x, o, w: topi.nn.deformable_conv2d_nchw(x, o, w, 1, 1, 1, 2, 2, None), lambda x, o, w: _deformable(x, o, w, 1, 2, 2), {"rtol": 1e-3}
    yield "nhwc", "x:float32[1,5,5,4] o:float32[1,5,5,18] w:float32[3,3,4,2]", lambda x, o, w: topi.nn.deformable_conv2d_nhwc(x, o, w, 1, 1, 1, 1, 1, None), lambda x, o, w: _deformable(x.transpose(0, 3, 1, 2), o.transpose(0, 3, 1, 2), w.transpose(3, 2, 0, 1), 1).transpose(0, 2, 3, 1), {"rtol": 1e-3}
