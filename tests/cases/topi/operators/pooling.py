"""Pooling and padding."""

#: where the text differs from TVM's
DIFFERENT = {
    "gradients.max_overlap": "TVM reads gradients of windows beyond the last",
    "gradients.avg": "TVM factors a window into (min(0, i - w) + 1) * 2",
    "pool.avg_exclude_pad": "TVM leaves min(i * 2 + 1, 7) + 2 - i * 2 where this simplifies to min(0, 6 - i * 2) + 3",
    "pad.replicate": "TVM 0.17 has none",
    "pad.circular": "TVM 0.17 has none",
    "pool.avg_symbols": "TVM leaves (h - 1) // 2 + 1 where this simplifies to (h + 1) // 2",
    "pad.reflect": "TVM leaves x * -1 where this simplifies to 0 - x",
    "pool.adaptive_max": "in TVM the extent of a loop has a free variable; here a block inside goes over the window",
    "pool.adaptive_max_nhwc": "in TVM the extent of a loop has a free variable; here a block inside goes over the window",
    "pool.adaptive_max1d": "in TVM the extent of a loop has a free variable; here a block inside goes over the window",
    "pool.adaptive_max3d": "in TVM the extent of a loop has a free variable; here a block inside goes over the window",
    "pool.adaptive_avg": "in TVM the extent of a loop has a free variable; here a block inside goes over the window",
    "pool.adaptive_avg_nhwc": "in TVM the extent of a loop has a free variable; here a block inside goes over the window",
    "pool.adaptive_avg1d": "in TVM the extent of a loop has a free variable; here a block inside goes over the window",
    "pool.adaptive_avg3d": "in TVM the extent of a loop has a free variable; here a block inside goes over the window",
}


def _pool(x, kind, kernel, stride, dilation, pad, ends=None):
    """Pooling with pads counted; `ends` count what rounding up adds."""
    return topi.testing.poolnd_python(x, kernel, stride, dilation, pad, pad, kind, True, ends is not None)


def _adaptive(x, kind, sizes):
    return topi.testing.adaptive_pool(x, sizes, kind, ("NCW", "NCHW", "NCDHW")[x.ndim - 3])


def pool():
    for kind in ("max", "avg"):
        yield f"{kind}1d", "x:float32[n,3,8]", lambda x, k=kind: topi.nn.pool1d(x, [2], [2], [1], [0, 0], k), lambda x, k=kind: _pool(x, k, [2], [2], [1], [0])
        yield f"{kind}2d", "x:float32[n,3,8,8]", lambda x, k=kind: topi.nn.pool2d(x, [2, 2], [2, 2], [1, 1], [0, 0, 0, 0], k), lambda x, k=kind: _pool(x, k, [2, 2], [2, 2], [1, 1], [0, 0])
        yield f"{kind}2d_padded", "x:float32[n,3,8,7]", lambda x, k=kind: topi.nn.pool2d(x, [3, 3], [2, 1], [1, 1], [1, 1, 1, 1], k), lambda x, k=kind: _pool(x, k, [3, 3], [2, 1], [1, 1], [1, 1])
        yield f"{kind}2d_ceil", "x:float32[n,3,8,7]", lambda x, k=kind: topi.nn.pool2d(x, [3, 2], [2, 2], [1, 1], [0, 0, 0, 0], k, True), lambda x, k=kind: _pool(x, k, [3, 2], [2, 2], [1, 1], [0, 0], [1, 1])
        yield f"{kind}2d_dilated", "x:float32[n,8,8,3]", lambda x, k=kind: topi.nn.pool2d(x, [2, 2], [1, 1], [2, 2], [0, 0, 0, 0], k, False, "NHWC"), lambda x, k=kind: _pool(x.transpose(0, 3, 1, 2), k, [2, 2], [1, 1], [2, 2], [0, 0]).transpose(0, 2, 3, 1)
        yield f"{kind}3d", "x:float32[1,2,4,4,4]", lambda x, k=kind: topi.nn.pool3d(x, [2, 2, 2], [2, 2, 2], [1, 1, 1], [0, 0, 0, 0, 0, 0], k), lambda x, k=kind: _pool(x, k, [2, 2, 2], [2, 2, 2], [1, 1, 1], [0, 0, 0])
        yield f"{kind}2d_blocks", "x:float32[n,2,8,8,4]", lambda x, k=kind: topi.nn.pool2d(x, [2, 2], [2, 2], [1, 1], [0, 0, 0, 0], k, layout="NCHW4c"), lambda x, k=kind: _pool(x.transpose(0, 1, 4, 2, 3).reshape(len(x), 8, 8, 8), k, [2, 2], [2, 2], [1, 1], [0, 0]).reshape(len(x), 2, 4, 4, 4).transpose(0, 1, 3, 4, 2)
        yield f"global_{kind}", "x:float32[n,3,4,5]", lambda x, k=kind: topi.nn.global_pool(x, k), lambda x, k=kind: _adaptive(x, k, (1, 1))
        yield f"adaptive_{kind}", "x:float32[n,3,7,6]", lambda x, k=kind: topi.nn.adaptive_pool(x, (3, 2), k), lambda x, k=kind: _adaptive(x, k, (3, 2))
        yield f"adaptive_{kind}_even", "x:float32[n,3,6,6]", lambda x, k=kind: topi.nn.adaptive_pool(x, (3, 2), k), lambda x, k=kind: _adaptive(x, k, (3, 2))
        yield f"adaptive_{kind}_nhwc", "x:float32[n,7,6,3]", lambda x, k=kind: topi.nn.adaptive_pool(x, (3, 2), k, "NHWC"), lambda x, k=kind: _adaptive(x.transpose(0, 3, 1, 2), k, (3, 2)).transpose(0, 2, 3, 1)
        yield f"adaptive_{kind}1d", "x:float32[n,3,7]", lambda x, k=kind: topi.nn.adaptive_pool1d(x, [3], k), lambda x, k=kind: _adaptive(x, k, [3])
        yield f"adaptive_{kind}3d", "x:float32[1,2,4,5,6]", lambda x, k=kind: topi.nn.adaptive_pool3d(x, [2, 2, 3], k), lambda x, k=kind: _adaptive(x, k, [2, 2, 3])
    yield "avg_exclude_pad", "x:float32[n,3,8,7]", lambda x: topi.nn.pool2d(x, [3, 3], [2, 1], [1, 1], [1, 1, 1, 1], "avg", False, "NCHW", False), lambda x: _pool(x, "avg", [3, 3], [2, 1], [1, 1], [1, 1]) / _pool(np.ones_like(x), "avg", [3, 3], [2, 1], [1, 1], [1, 1])
    yield "max_symbols", "x:float32[n,3,h,w]", lambda x: topi.nn.pool2d(x, [2, 2], [2, 2], [1, 1], [0, 0, 0, 0], "max"), lambda x: _pool(x, "max", [2, 2], [2, 2], [1, 1], [0, 0]), {"sizes": [{"n": 1, "h": 5, "w": 6}]}
    yield "avg_symbols", "x:float32[n,3,h,w]", lambda x: topi.nn.pool2d(x, [3, 3], [2, 2], [1, 1], [1, 1, 1, 1], "avg", False, "NCHW", False), lambda x: _pool(x, "avg", [3, 3], [2, 2], [1, 1], [1, 1]) / _pool(np.ones_like(x), "avg", [3, 3], [2, 2], [1, 1], [1, 1]), {"sizes": [{"n": 1, "h": 5, "w": 6}]}


def pad():
    yield "constant", "x:float32[n,4]", lambda x: topi.nn.pad(x, (1, 2), (0, 3)), lambda x: np.pad(x, ((1, 0), (2, 3)))
    yield "value", "x:float32[n,4]", lambda x: topi.nn.pad(x, (0, 2), None, 1.5), lambda x: np.pad(x, ((0, 0), (2, 2)), constant_values=1.5)
    yield "int", "x:int32[n,4]{0:9}", lambda x: topi.nn.pad(x, (0, 2), (0, 0), 7), lambda x: np.pad(x, ((0, 0), (2, 0)), constant_values=7)
    yield "none", "x:float32[n,4]", lambda x: topi.nn.pad(x, (0, 0)), lambda x: x
    yield "symmetric", "x:float32[m,4]", lambda x: topi.nn.mirror_pad(x, (0, 2), (1, 3)), lambda x: np.pad(x, ((0, 1), (2, 3)), "symmetric")
    yield "reflect", "x:float32[m,4]", lambda x: topi.nn.mirror_pad(x, (0, 2), (1, 3), "REFLECT"), lambda x: np.pad(x, ((0, 1), (2, 3)), "reflect")
    yield "replicate", "x:float32[m,4]", lambda x: topi.nn.replicate_pad(x, (0, 2), (1, 3)), lambda x: np.pad(x, ((0, 1), (2, 3)), "edge")
    yield "circular", "x:float32[m,4]", lambda x: topi.nn.circular_pad(x, (0, 2), (1, 5)), lambda x: np.pad(x, ((0, 1), (2, 5)), "wrap")


def _pool_grad(g, x, kernel, stride, pad, kind, counts_pad=True):
    return topi.testing.pool_grad_nchw(x, g, kernel, stride, pad, kind, False, counts_pad)


def gradients():
    yield "max", "g:float32[1,2,4,4] x:float32[1,2,8,8]", lambda g, x: topi.nn.pool_grad(g, x, [2, 2], [2, 2], [0, 0, 0, 0], "max"), lambda g, x: _pool_grad(g, x, (2, 2), (2, 2), (0, 0, 0, 0), "max")
    yield "max_overlap", "g:float32[1,2,5,4] x:float32[1,2,9,8]", lambda g, x: topi.nn.pool_grad(g, x, [3, 3], [2, 2], [1, 1, 1, 1], "max"), lambda g, x: _pool_grad(g, x, (3, 3), (2, 2), (1, 1, 1, 1), "max")
    yield "avg", "g:float32[1,2,5,4] x:float32[1,2,8,8]", lambda g, x: topi.nn.pool_grad(g, x, [3, 2], [2, 2], [1, 0, 2, 0], "avg", False, False), lambda g, x: _pool_grad(g, x, (3, 2), (2, 2), (1, 0, 2, 0), "avg", False), {"rtol": 1e-4}
    yield "avg_nhwc", "g:float32[1,5,4,2] x:float32[1,8,8,2]", lambda g, x: topi.nn.pool_grad(g, x, [3, 2], [2, 2], [1, 0, 2, 0], "avg", False, True, "NHWC"), lambda g, x: _pool_grad(g.transpose(0, 3, 1, 2), x.transpose(0, 3, 1, 2), (3, 2), (2, 2), (1, 0, 2, 0), "avg").transpose(0, 2, 3, 1), {"rtol": 1e-4}
    yield "avg_ceil", "g:float32[n,2,3,3] x:float32[n,2,6,6]", lambda g, x: topi.nn.pool_grad(g, x, [3, 3], [2, 2], [0, 0, 0, 0], "avg", True), lambda g, x: _pool_grad(g, x, (3, 3), (2, 2), (0, 0, 1, 1), "avg"), {"rtol": 1e-4}
