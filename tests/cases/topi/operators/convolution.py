"""Convolutions."""

#: where the text differs from TVM's
DIFFERENT = {
    "conv2d.nchwc": "TVM needs a target, whose default schedule it asks",
    "conv2d.nchwc_rows": "TVM needs a target, whose default schedule it asks",
    "blocks.depthwise": "TVM needs a target, whose default schedule it asks",
    "blocks.depthwise_multiplier": "TVM needs a target, whose default schedule it asks",
}
def _conv(*args):
    return tvm.testing.operator_references.convolution.convolve(*args)


def _transposed(*args):
    return tvm.testing.operator_references.convolution.convolve_transposed(*args)


def conv1d():
    yield "ncw", "x:float32[n,3,8] w:float32[4,3,3]", lambda x, w: topi.nn.conv1d_ncw(x, w, 1, 1, 1), lambda x, w: _conv(x, w, 1, 1, 1, 1, "NCW", "OIW"), {"rtol": 1e-4}
    yield "ncw_dilated", "x:float32[n,3,9] w:float32[4,3,3]", lambda x, w: topi.nn.conv1d_ncw(x, w, 2, (1, 1), 2), lambda x, w: _conv(x, w, 2, 1, 2, 1, "NCW", "OIW"), {"rtol": 1e-4}
    yield "nwc", "x:float32[n,8,3] w:float32[3,3,4]", lambda x, w: topi.nn.conv1d_nwc(x, w, 1, "SAME", 1), lambda x, w: _conv(x, w, 1, 1, 1, 1, "NWC", "WIO"), {"rtol": 1e-4}
    yield "groups", "x:float32[n,4,8] w:float32[4,2,3]", lambda x, w: topi.nn.group_conv1d_ncw(x, w, 1, 0, 1, 2), lambda x, w: _conv(x, w, 1, 0, 1, 2, "NCW", "OIW"), {"rtol": 1e-4}
    yield "groups_nwc", "x:float32[n,8,4] w:float32[3,2,4]", lambda x, w: topi.nn.group_conv1d_nwc(x, w, 1, 1, 1, 2), lambda x, w: _conv(x, w, 1, 1, 1, 2, "NWC", "WIO"), {"rtol": 1e-4}
    yield "transpose", "x:float32[n,3,6] w:float32[3,4,3]", lambda x, w: topi.nn.conv1d_transpose_ncw(x, w, 2, (1, 1), "float32", 1), lambda x, w: _transposed(x, w, [2], [1], [1]), {"rtol": 1e-4}
    yield "transpose_groups", "x:float32[n,4,6] w:float32[4,2,3]", lambda x, w: topi.nn.group_conv1d_transpose_ncw(x, w, 2, (1, 1), "float32", 1, 2), lambda x, w: _transposed(x, w, [2], [1], [1], 2), {"rtol": 1e-4}


def conv2d():
    yield "nchw", "x:float32[n,3,8,8] w:float32[4,3,3,3]", lambda x, w: topi.nn.conv2d_nchw(x, w, 1, 0, 1), _conv, {"rtol": 1e-4}
    yield "nchw_padded", "x:float32[n,3,8,8] w:float32[4,3,3,3]", lambda x, w: topi.nn.conv2d_nchw(x, w, 1, 1, 1), lambda x, w: _conv(x, w, 1, 1), {"rtol": 1e-4}
    yield "nchw_strided", "x:float32[n,3,9,8] w:float32[4,3,3,3]", lambda x, w: topi.nn.conv2d_nchw(x, w, (2, 1), (1, 0, 1, 2), (1, 2)), lambda x, w: _conv(x, w, (2, 1), (1, 0, 1, 2), (1, 2)), {"rtol": 1e-4}
    yield "nchw_symbols", "x:float32[n,3,h,w] f:float32[4,3,3,3]", lambda x, w: topi.nn.conv2d_nchw(x, w, 1, 1, 1), lambda x, w: _conv(x, w, 1, 1), {"sizes": [{"n": 1, "h": 5, "w": 6}], "rtol": 1e-4}
    yield "nchw_half", "x:float16[1,3,6,6] w:float16[4,3,3,3]", lambda x, w: topi.nn.conv2d_nchw(x, w, 1, 1, 1, "float32"), lambda x, w: _conv(x.astype("float32"), w.astype("float32"), 1, 1), {"rtol": 1e-4}
    yield "nhwc", "x:float32[n,8,8,3] w:float32[3,3,3,4]", lambda x, w: topi.nn.conv2d_nhwc(x, w, 2, 1, 1), lambda x, w: _conv(x, w, 2, 1, 1, 1, "NHWC", "HWIO"), {"rtol": 1e-4}
    yield "hwcn", "x:float32[8,8,3,n] w:float32[3,3,3,4]", lambda x, w: topi.nn.conv2d_hwcn(x, w, 1, 1, 1), lambda x, w: _conv(x, w, 1, 1, 1, 1, "HWCN", "HWIO"), {"rtol": 1e-4}
    yield "any", "x:float32[n,8,8,3] w:float32[3,3,3,4]", lambda x, w: topi.nn.conv2d(x, w, 2, 1, 1, "NHWC"), lambda x, w: _conv(x, w, 2, 1, 1, 1, "NHWC", "HWIO"), {"rtol": 1e-4}
    yield "general", "x:float32[n,4,8,8] w:float32[4,2,3,3]", lambda x, w: topi.nn.conv(x, w, 1, 1, 1, 2, "NCHW", "OIHW", "float32"), lambda x, w: _conv(x, w, 1, 1, 1, 2), {"rtol": 1e-4}
    yield "general_nhwc", "x:float32[n,8,8,4] w:float32[4,3,3,4]", lambda x, w: topi.nn.conv(x, w, 1, 1, 1, 1, "NHWC", "OHWI", "float32"), lambda x, w: _conv(x, w, 1, 1, 1, 1, "NHWC", "OHWI"), {"rtol": 1e-4}
    yield "groups", "x:float32[n,4,8,8] w:float32[4,2,3,3]", lambda x, w: topi.nn.group_conv2d_nchw(x, w, 1, 1, 1, 2), lambda x, w: _conv(x, w, 1, 1, 1, 2), {"rtol": 1e-4}
    yield "groups_nhwc", "x:float32[n,8,8,4] w:float32[3,3,2,4]", lambda x, w: topi.nn.group_conv2d_nhwc(x, w, 1, 1, 1, 2), lambda x, w: _conv(x, w, 1, 1, 1, 2, "NHWC", "HWIO"), {"rtol": 1e-4}
    yield "depthwise", "x:float32[n,4,8,8] w:float32[4,1,3,3]", lambda x, w: topi.nn.depthwise_conv2d_nchw(x, w, 1, 1, 1), lambda x, w: _conv(x, w, 1, 1, 1, 4), {"rtol": 1e-4}
    yield "depthwise_multiplier", "x:float32[n,4,8,8] w:float32[4,2,3,3]", lambda x, w: topi.nn.depthwise_conv2d_nchw(x, w, 2, 1, (2, 1)), lambda x, w: _conv(x, w.reshape(8, 1, 3, 3), 2, 1, (2, 1), 4), {"rtol": 1e-4}
    yield "depthwise_nhwc", "x:float32[n,8,8,4] w:float32[3,3,4,2]", lambda x, w: topi.nn.depthwise_conv2d_nhwc(x, w, 1, 1, 1), lambda x, w: _conv(x, w.transpose(2, 3, 0, 1).reshape(8, 1, 3, 3), 1, 1, 1, 4, "NHWC", "OIHW"), {"rtol": 1e-4}
    yield "nchwc", "x:float32[n,2,8,8,2] w:float32[2,2,3,3,2,4]", lambda x, w: topi.nn.conv2d_NCHWc(x, w, 1, 1, 1, "NCHW2c", "NCHW4c"), lambda x, w: _conv(x.transpose(0, 1, 4, 2, 3).reshape(len(x), 4, 8, 8), w.transpose(0, 5, 1, 4, 2, 3).reshape(8, 4, 3, 3), 1, 1).reshape(len(x), 2, 4, 8, 8).transpose(0, 1, 3, 4, 2), {"rtol": 1e-4}
    yield "nchwc_rows", "x:float32[n,2,8,8,2] w:float32[2,2,3,3,2,4]", lambda x, w: topi.nn.conv2d_NCHWc(x, w, 1, (1, 0), 1, "NCHW2c", "NCHW4c"), lambda x, w: _conv(x.transpose(0, 1, 4, 2, 3).reshape(len(x), 4, 8, 8), w.transpose(0, 5, 1, 4, 2, 3).reshape(8, 4, 3, 3), 1, (1, 0)).reshape(len(x), 2, 4, 8, 6).transpose(0, 1, 3, 4, 2), {"rtol": 1e-4}
    yield "transpose", "x:float32[n,3,4,5] w:float32[3,2,3,3]", lambda x, w: topi.nn.conv2d_transpose_nchw(x, w, (2, 2), (1, 1), "float32", (1, 0)), lambda x, w: _transposed(x, w, [2, 2], [1, 1], [1, 0]), {"rtol": 1e-4}
    yield "transpose_groups", "x:float32[n,4,4,5] w:float32[4,2,3,3]", lambda x, w: topi.nn.group_conv2d_transpose_nchw(x, w, (2, 2), (1, 1), "float32", (1, 0), 2), lambda x, w: _transposed(x, w, [2, 2], [1, 1], [1, 0], 2), {"rtol": 1e-4}
    yield "dilate", "x:float32[n,4]", lambda x: topi.nn.dilate(x, [2, 3]), lambda x: topi.testing.dilate_python(x, [2, 3]), {"least": 1}


def conv3d():
    yield "ncdhw", "x:float32[1,2,4,4,4] w:float32[3,2,3,3,3]", lambda x, w: topi.nn.conv3d_ncdhw(x, w, 1, 1, 1, 1), lambda x, w: _conv(x, w, 1, 1, 1, 1, "NCDHW", "OIDHW"), {"rtol": 1e-4}
    yield "ndhwc", "x:float32[1,4,4,4,2] w:float32[3,3,3,2,3]", lambda x, w: topi.nn.conv3d_ndhwc(x, w, 1, 0, 1, 1), lambda x, w: _conv(x, w, 1, 0, 1, 1, "NDHWC", "DHWIO"), {"rtol": 1e-4}
    yield "transpose", "x:float32[1,2,3,3,3] w:float32[2,2,3,3,3]", lambda x, w: topi.nn.conv3d_transpose_ncdhw(x, w, (2, 2, 2), (1, 1, 1), "float32", (0, 0, 0)), lambda x, w: _transposed(x, w, [2, 2, 2], [1, 1, 1], [0, 0, 0]), {"rtol": 1e-4}
    yield "transpose_groups", "x:float32[1,2,3,3,3] w:float32[2,1,3,3,3]", lambda x, w: topi.nn.group_conv3d_transpose_ncdhw(x, w, (2, 2, 2), (1, 1, 1), "float32", (0, 0, 0), 2), lambda x, w: _transposed(x, w, [2, 2, 2], [1, 1, 1], [0, 0, 0], 2), {"rtol": 1e-4}


def _blocks(x, w):
    """A convolution of NCHWc and OIHWio."""
    n, _, h, width, _ = x.shape
    x, w = x.transpose(0, 1, 4, 2, 3).reshape(n, x.shape[1] * x.shape[4], h, width), w.transpose(0, 5, 1, 4, 2, 3)
    w = w.reshape(w.shape[0] * w.shape[1], -1, *w.shape[4:])
    return _conv(x, w, 1, 1, 1, x.shape[1] // w.shape[1])


def _to_blocks(x, block):
    return x.reshape(len(x), x.shape[1] // block, block, *x.shape[2:]).transpose(0, 1, 3, 4, 2)


def blocks():
    nn = topi.nn
    int8 = lambda x, w: _to_blocks(_blocks(x.astype("int32"), w.transpose(0, 1, 2, 3, 4, 6, 5).reshape(*w.shape[:4], -1, w.shape[5]).astype("int32")), w.shape[5])
    yield "int8", "x:uint8[n,2,6,6,4]{0:9} w:int8[3,2,3,3,1,8,4]{-9:9}", lambda x, w: nn.conv2d_NCHWc_int8(x, w, 1, 1, 1, "NCHW4c", "NCHW8c"), int8
    yield "int8_groups", "x:uint8[1,2,6,6,4]{0:9} w:int8[4,1,3,3,1,4,4]{-9:9}", lambda x, w: nn.conv2d_NCHWc_int8(x, w, 1, 1, 1, "NCHW4c", "NCHW4c"), int8
    yield "depthwise", "x:float32[n,2,6,6,4] w:float32[2,1,3,3,1,4]", lambda x, w: nn.depthwise_conv2d_NCHWc(x, w, 1, 1, 1, "NCHW4c", "NCHW4c"), lambda x, w: _to_blocks(_blocks(x, w), 4), {"rtol": 1e-4}
    yield "depthwise_multiplier", "x:float32[1,2,6,6,4] w:float32[4,1,3,3,1,4]", lambda x, w: nn.depthwise_conv2d_NCHWc(x, w, 1, 1, 1, "NCHW4c", "NCHW4c"), lambda x, w: _to_blocks(_blocks(x, w), 4), {"rtol": 1e-4}
    yield "unpack", "x:float32[n,2,3,4,5]", lambda x: nn.unpack_NCHWc_to_nchw(x, "float32"), lambda x: x.transpose(0, 1, 4, 2, 3).reshape(len(x), 10, 3, 4)
    yield "gemm_weights", "w:float32[3,3,4,5]", lambda w: nn.conv2d_gemm_weight_transform(w, 4, 4), lambda w: np.pad(w.reshape(36, 5), [(0, 12), (0, 3)]).reshape(12, 4, 2, 4).transpose(2, 0, 1, 3)


def prepared():
    nn = topi.nn
    flip = lambda w: w.swapaxes(0, 1)[(slice(None), slice(None), *[slice(None, None, -1)] * (w.ndim - 2))]

    def dilate(x):
        return np.pad(topi.testing.dilate_python(x, [1, 1, *[2] * (x.ndim - 2)]), [(0, 0), (0, 0), *[(1, 1)] * (x.ndim - 2)])

    yield "transpose2", "x:float32[1,2,4,4] w:float32[2,3,3,3]", lambda x, w: nn.conv2d_transpose_nchw_preprocess(x, w, (2, 2), (1, 1), "float32", (0, 0)), lambda x, w: [dilate(x), flip(w)]
    yield "transpose3", "x:float32[1,2,3,3,3] w:float32[2,3,3,3,3]", lambda x, w: nn.conv3d_transpose_ncdhw_preprocess(x, w, (2, 2, 2), (1, 1, 1), "float32", (0, 0, 0)), lambda x, w: [dilate(x), flip(w)]


def _grads(x, w, g, stride):
    """Gradients of a depthwise convolution NHWC, HWCM, padded by 1, by adding each product up."""
    padded = np.pad(x, [(0, 0), (1, 1), (1, 1), (0, 0)])
    dx, dw = np.zeros_like(padded), np.zeros_like(w)
    for y in range(g.shape[1]):
        for z in range(g.shape[2]):
            part = g[:, y, z].reshape(len(g), w.shape[2], w.shape[3])
            place = np.s_[:, y * stride : y * stride + 3, z * stride : z * stride + 3]
            dx[place] += np.einsum("ncm,ijcm->nijc", part, w)
            dw += np.einsum("ncm,nijc->ijcm", part, padded[place])
    return dx[:, 1:-1, 1:-1], dw


def gradients():
    nn = topi.nn
    yield "input", "w:float32[3,3,2,2] g:float32[1,2,2,4]", lambda w, g: nn.depthwise_conv2d_backward_input_nhwc(w, g, (1, 2, 2, 4), (1, 4, 4, 2), (2, 2), (1, 1)), lambda w, g: _grads(np.zeros((1, 4, 4, 2), "float32"), w, g, 2)[0], {"rtol": 1e-4}
    yield "input_plain", "w:float32[3,3,2,1] g:float32[2,4,4,2]", lambda w, g: nn.depthwise_conv2d_backward_input_nhwc(w, g, (2, 4, 4, 2), (2, 4, 4, 2), (1, 1), (1, 1)), lambda w, g: _grads(np.zeros((2, 4, 4, 2), "float32"), w, g, 1)[0], {"rtol": 1e-4}
    yield "weight", "x:float32[2,4,4,2] g:float32[2,2,2,4]", lambda x, g: nn.depthwise_conv2d_backward_weight_nhwc(x, g, (2, 2, 2, 4), (3, 3, 2, 2), (2, 2), (1, 1)), lambda x, g: _grads(x, np.zeros((3, 3, 2, 2), "float32"), g, 2)[1], {"rtol": 1e-4}
