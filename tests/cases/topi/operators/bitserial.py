"""Products of few-bit integers."""


def _bits(x, bits):
    return sum(((x.astype("int64") >> bit) & 1) << bit for bit in range(bits))


def _signed(w, bits, unipolar):
    """The value of a weight: bits that are 0 count as -1 where it is unipolar."""
    return 2 * _bits(w, bits) - (2**bits - 1) if unipolar else _bits(w, bits)


#: where the text differs from TVM's
DIFFERENT = {
    "pack.first": "TVM leaves 1 <= i where this simplifies to i == 1",
    **{f"{family}.{name}": "TVM takes a difference of narrow words, which wraps"
    for family, names in {"conv2d": ("nchw_narrow", "nhwc_narrow"), "dense": ("narrow",)}.items()
    for name in names},
}


def _conv(x, w, pad, stride, bits, weight_bits, unipolar):
    x = np.pad(_bits(x, bits), [(0, 0), (0, 0), (pad, pad), (pad, pad)])
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], (2, 3))[:, :, ::stride, ::stride]
    return np.einsum("ncyxij,fcij->nfyx", windows, _signed(w, weight_bits, unipolar)).astype("int16")


def _last(x, w, *options):
    return _conv(x.transpose(0, 3, 1, 2), w.transpose(3, 2, 0, 1), *options).transpose(0, 2, 3, 1)


def _words(x, width, axis, bit):
    """Words of one bit of groups of elements along an axis, the first element highest."""
    x = np.moveaxis((x >> bit) & 1, axis, -1)
    x = x.reshape(*x.shape[:-1], x.shape[-1] // width, width) @ (1 << np.arange(width)[::-1])
    return np.moveaxis(x, -1, axis)


def pack():
    nn = topi.nn
    yield "bytes", "x:int32[n,16]{0:4}", lambda x: nn.bitpack(x, 2, 1, 2, "uint8"), lambda x: np.stack([_words(x, 8, 1, bit) for bit in (0, 1)], 2).astype("uint8")
    yield "first", "x:uint8[n,16,m]{0:8}", lambda x: nn.bitpack(x, 3, 1, 1, "uint16"), lambda x: np.stack([_words(x.astype(int), 16, 1, bit) for bit in range(3)], 1).astype("uint16")
    yield "one", "x:uint8[2,32]{0:2}", lambda x: nn.bitpack(x, 1, 1, 2, "uint32", "bits"), lambda x: _words(x.astype(int), 32, 1, 0)[..., None].astype("uint32")


def conv2d():
    nn = topi.nn
    for unipolar in (True, False):
        name = "unipolar" if unipolar else "bipolar"
        yield f"nchw_{name}", "x:uint8[1,32,5,6]{0:4} w:uint8[3,32,3,3]{0:2}", lambda x, w, u=unipolar: nn.bitserial_conv2d_nchw(x, w, 1, 1, 2, 1, "uint32", "int16", u), lambda x, w, u=unipolar: _conv(x, w, 1, 1, 2, 1, u)
        yield f"nhwc_{name}", "x:uint8[1,5,6,32]{0:4} w:uint8[3,3,32,3]{0:4}", lambda x, w, u=unipolar: nn.bitserial_conv2d_nhwc(x, w, (2, 2), (0, 0), 2, 2, "uint16", "int16", u), lambda x, w, u=unipolar: _last(x, w, 0, 2, 2, 2, u)
    yield "nchw_narrow", "x:uint8[1,8,4,4]{0:2} w:uint8[3,8,3,3]{0:2}", lambda x, w: nn.bitserial_conv2d_nchw(x, w, 1, 1, 1, 1, "uint8"), lambda x, w: _conv(x, w, 1, 1, 1, 1, True)
    yield "nhwc_narrow", "x:uint8[1,4,4,8]{0:2} w:uint8[3,3,8,3]{0:2}", lambda x, w: nn.bitserial_conv2d_nhwc(x, w, 1, 1, 1, 1, "uint8"), lambda x, w: _last(x, w, 1, 1, 1, 1, True)
    yield "packed", "x:uint8[1,32,5,6]{0:4} w:uint8[3,32,3,3]{0:4}", lambda x, w: nn.bitserial_conv2d_nchw(x, nn.bitpack(w, 2, 1, 4, "uint32"), 1, 1, 2, 2), lambda x, w: _conv(x, w, 1, 1, 2, 2, True)


def dense():
    nn = topi.nn
    reference = lambda x, w, bits, weight_bits, unipolar: (_bits(x, bits) @ _signed(w, weight_bits, unipolar).T).astype("int16")
    for unipolar in (True, False):
        yield "unipolar" if unipolar else "bipolar", "x:uint8[n,32]{0:4} w:uint8[3,32]{0:4}", lambda x, w, u=unipolar: nn.bitserial_dense(x, w, 2, 2, "uint32", "int16", u), lambda x, w, u=unipolar: reference(x, w, 2, 2, u)
    yield "narrow", "x:uint8[2,16]{0:4} w:uint8[3,16]{0:2}", lambda x, w: nn.bitserial_dense(x, w, 2, 1, "uint8"), lambda x, w: reference(x, w, 2, 1, True)
    yield "packed", "x:uint8[2,32]{0:4} w:uint8[3,32]{0:4}", lambda x, w: nn.bitserial_dense(x, nn.bitpack(w, 2, 1, 1, "uint32"), 2, 2), lambda x, w: reference(x, w, 2, 2, True)
