"""Dilation, enlarging, correlation, sampling and cropping of images."""

#: where the text differs from TVM's
DIFFERENT = {}


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
