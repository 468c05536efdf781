"""Convolutions by Winograd's algorithm."""

_TILES = "TVM pads another number of rows where the output is no whole number of tiles"
#: where the text differs from TVM's
DIFFERENT = {
    "conv2d.nchw_rest": _TILES,
    "conv2d.nhwc_rest": _TILES,
    "transformed.nchw_two": "TVM takes transformed kernels of tiles of 4 alone",
    **dict.fromkeys([f"matrices.tile{tile}" for tile in (3, 5, 7, 8)], "TVM rounds while it solves for the matrices; here they are exact"),
    "conv2d.nchw_batch": "TVM counts the tiles of one image of a symbolic batch",
}


def _conv(x, w, pad=1):
    """A convolution of NCHW and OIHW."""
    x = np.pad(x, [(0, 0), (0, 0), (pad, pad), (pad, pad)])
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (2, 3))
    return np.einsum("ncyxij,fcij->nfyx", windows, w)


def _last(x, w, pad=1):
    """A convolution of NHWC and HWIO."""
    return _conv(x.transpose(0, 3, 1, 2), w.transpose(3, 2, 0, 1), pad).transpose(0, 2, 3, 1)


_G4 = np.array([[1, 0, 0], [-1 / 3, 1 / 3, -1 / 3], [1 / 3, 1 / 3, 1 / 3], [-16 / 15, -8 / 15, -4 / 15], [1 / 15, -2 / 15, 4 / 15], [0, 0, 1]])
_G2 = np.array([[1, 0, 0], [0.5, -0.5, 0.5], [0.5, 0.5, 0.5], [0, 0, 1]])
_CLOSE = {"rtol": 1e-3}


def conv2d():
    nn = topi.nn
    yield "nchw", "x:float32[2,3,8,8] w:float32[4,3,3,3]", lambda x, w: nn.conv2d_winograd_nchw(x, w, 1, 1, 1, "float32"), _conv, _CLOSE
    yield "nhwc", "x:float32[2,8,8,3] w:float32[3,3,3,4]", lambda x, w: nn.conv2d_winograd_nhwc(x, w, 1, 1, 1, "float32"), _last, _CLOSE
    yield "nchw_rest", "x:float32[1,3,7,9] w:float32[4,3,3,3]", lambda x, w: nn.conv2d_winograd_nchw(x, w, 1, 0, 1, "float32"), lambda x, w: _conv(x, w, 0), _CLOSE
    yield "nhwc_rest", "x:float32[1,7,9,3] w:float32[3,3,3,4]", lambda x, w: nn.conv2d_winograd_nhwc(x, w, (1, 1), (0, 0), (1, 1), "float32"), lambda x, w: _last(x, w, 0), _CLOSE
    yield "nchw_batch", "x:float32[n,3,8,8] w:float32[4,3,3,3]", lambda x, w: nn.conv2d_winograd_nchw(x, w, 1, 1, 1, "float32"), _conv, {**_CLOSE, "least": 1}
    yield "nchw_half", "x:float16[1,2,4,4] w:float16[2,2,3,3]", lambda x, w: nn.conv2d_winograd_nchw(x, w, 1, 1, 1, "float32"), lambda x, w: _conv(x.astype("float32"), w.astype("float32")), {"rtol": 1e-1}
    yield "nchw_double", "x:float64[1,2,4,4] w:float64[2,2,3,3]", lambda x, w: nn.conv2d_winograd_nchw(x, w, 1, 1, 1, "float64"), _conv, {"rtol": 1e-10}


def transformed():
    nn = topi.nn
    four = lambda w: nn.conv2d_winograd_weight_transform(w, 4)
    yield "nchw", "x:float32[1,3,8,8] w:float32[4,3,3,3]", lambda x, w: nn.conv2d_winograd_nchw_without_weight_transform(x, topi.transpose(four(w), (0, 1, 3, 2)), 1, 1, 1, "float32"), _conv, _CLOSE
    yield "nhwc", "x:float32[1,8,8,3] w:float32[4,3,3,3]", lambda x, w: nn.conv2d_winograd_nhwc_without_weight_transform(x, four(w), 1, 1, 1, "float32"), lambda x, w: _last(x, w.transpose(2, 3, 1, 0)), _CLOSE
    yield "nhwc_plain", "x:float32[1,8,8,3] w:float32[6,6,4,3]", lambda x, w: nn.conv2d_winograd_nhwc_without_weight_transform(x, w, 1, 1, 1, "float32"), None, _CLOSE
    yield "nchw_two", "x:float32[1,3,8,8] w:float32[4,3,3,3]", lambda x, w: nn.conv2d_winograd_nchw(x, topi.transpose(nn.conv2d_winograd_weight_transform(w, 2), (0, 1, 3, 2)), 1, 1, 1, "float32", True), _conv, _CLOSE
    yield "weights", "w:float32[4,3,3,3]", four, lambda w: np.einsum("fcij,ai,bj->abfc", w, _G4, _G4), _CLOSE
    yield "weights_volume", "w:float32[2,3,3,3,3]", lambda w: nn.conv3d_winograd_weight_transform(w, 2), lambda w: np.einsum("fcdij,od,ai,bj->oabfc", w, _G2, _G2, _G2), _CLOSE
    yield "weights_flat", "w:float32[2,3,1,3,3]", lambda w: nn.conv3d_winograd_weight_transform(w, 2), lambda w: np.einsum("fcdij,ai,bj->abdfc", w, _G2, _G2), _CLOSE


def _identity(tile, x, w):
    """A product of both transforms, as a convolution of one dimension."""
    a, b, g = topi.nn.winograd_transform_matrices(tile, 3, "float64")
    products = tile + 2
    r, k, e = te.reduce_axis((0, products), "r"), te.reduce_axis((0, 3), "k"), te.reduce_axis((0, products), "e")
    data = te.compute((products,), lambda i: te.sum(x[r] * b[r, i], axis=r), name="data")
    taps = te.compute((products,), lambda i: te.sum(g[i, k] * w[k], axis=k), name="taps")
    return te.compute((tile,), lambda i: te.sum(a[e, i] * data[e] * taps[e], axis=e), name="tile")


def matrices():
    for tile in range(2, 9):
        yield f"tile{tile}", f"x:float64[{tile + 2}] w:float64[3]", lambda x, w, tile=tile: _identity(tile, x, w), lambda x, w: np.convolve(x, w[::-1], "valid"), {"rtol": 1e-10}
