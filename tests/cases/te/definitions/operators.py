"""Operators of models, images, signals and linear algebra as one writes them by hand."""

#: where the text differs from TVM's


def _sum(value, *extents, names="rstuvw"):
    """A sum of `value(*axes)` over axes of these extents."""
    axes = [te.reduce_axis((0, extent), names[i]) for i, extent in enumerate(extents)]
    return te.sum(value(*axes), axis=axes)


def convolutions():
    X = te.placeholder((2, 8, 12), name="X")
    W = te.placeholder((4, 8, 3), name="W")
    yield "one", [X, W, te.compute((2, 4, 10), lambda n, f, i: _sum(lambda c, k: X[n, c, i + k] * W[f, c, k], 8, 3), name="Y")]
    yield "one_dilated", [X, W, te.compute((2, 4, 8), lambda n, f, i: _sum(lambda c, k: X[n, c, i + k * 2] * W[f, c, k], 8, 3), name="Y")]
    X = te.placeholder((1, 8, 14, 14), name="X")
    D = te.placeholder((8, 3, 3), name="D")
    yield "depthwise", [X, D, te.compute((1, 8, 12, 12), lambda n, c, i, j: _sum(lambda p, q: X[n, c, i + p, j + q] * D[c, p, q], 3, 3), name="Y")]
    M = te.placeholder((8, 2, 3, 3), name="M")
    yield "multiplier", [X, M, te.compute((1, 16, 12, 12), lambda n, c, i, j: _sum(lambda p, q: X[n, c // 2, i + p, j + q] * M[c // 2, c % 2, p, q], 3, 3), name="Y")]
    G = te.placeholder((6, 4, 3, 3), name="G")
    yield "groups", [X, G, te.compute((1, 6, 12, 12), lambda n, f, i, j: _sum(lambda c, p, q: X[n, f // 3 * 4 + c, i + p, j + q] * G[f, c, p, q], 4, 3, 3), name="Y")]
    T_ = te.placeholder((8, 4, 3, 3), name="T")
    yield "transposed", [X, T_, te.compute((1, 4, 29, 29), lambda n, f, i, j: _sum(lambda c, p, q: te.if_then_else(te.all((i + p) % 2 == 0, (j + q) % 2 == 0, i + p >= 2, j + q >= 2, i + p < 30, j + q < 30), X[n, c, (i + p - 2) // 2, (j + q - 2) // 2] * T_[c, f, 2 - p, 2 - q], 0.0), 8, 3, 3), name="Y")]
    V = te.placeholder((1, 2, 6, 6, 6), name="V")
    K = te.placeholder((3, 2, 3, 3, 3), name="K")
    yield "three", [V, K, te.compute((1, 3, 4, 4, 4), lambda n, f, a, b, c: _sum(lambda g, p, q, r: V[n, g, a + p, b + q, c + r] * K[f, g, p, q, r], 2, 3, 3, 3), name="Y")]
    Q = te.placeholder((1, 10, 10, 8), "uint8", name="Q")
    E = te.placeholder((3, 3, 8, 4), "int8", name="E")
    yield "int8", [Q, E, te.compute((1, 8, 8, 4), lambda n, i, j, f: _sum(lambda p, q, c: Q[n, i + p, j + q, c].astype("int32") * E[p, q, c, f].astype("int32"), 3, 3, 8), name="Y")]
    n = te.var("n")
    S = te.placeholder((n, 3, 8, 8), name="S")
    F = te.placeholder((4, 3, 3, 3), name="F")
    P = te.compute((n, 3, 10, 10), lambda b, c, i, j: te.if_then_else(te.all(i >= 1, i < 9, j >= 1, j < 9), S[b, c, i - 1, j - 1], te.const(0, "float32")), name="P")
    yield "padded_batch", [S, F, te.compute((n, 4, 8, 8), lambda b, f, i, j: _sum(lambda c, p, q: P[b, c, i + p, j + q] * F[f, c, p, q], 3, 3, 3), name="Y")]
    yield "blocks", [X, te.placeholder((4, 2, 1, 1, 4, 4), name="B"), te.compute((1, 2, 14, 14, 4), lambda n, c, i, j, k: X[n, c * 4 + k, i, j], name="packed")]


def pooling():
    X = te.placeholder((1, 4, 9, 9), name="X")
    dp, dq = te.reduce_axis((0, 3), "dp"), te.reduce_axis((0, 3), "dq")
    yield "min", [X, te.compute((1, 4, 7, 7), lambda n, c, i, j: te.min(X[n, c, i + dp, j + dq], axis=[dp, dq]), name="Y")]
    yield "stride", [X, te.compute((1, 4, 4, 4), lambda n, c, i, j: te.max(X[n, c, i * 2 + dp, j * 2 + dq], axis=[dp, dq]), name="Y")]
    total = te.compute((1, 4), lambda n, c: _sum(lambda i, j: X[n, c, i, j], 9, 9), name="total")
    yield "global", [X, te.compute((1, 4, 1, 1), lambda n, c, i, j: total[n, c] / 81.0, name="Y")]
    power = te.compute((1, 4, 7, 7), lambda n, c, i, j: _sum(lambda p, q: X[n, c, i + p, j + q] * X[n, c, i + p, j + q], 3, 3), name="power")
    yield "root_of_squares", [X, te.compute((1, 4, 7, 7), lambda *i: te.sqrt(power(*i)), name="Y")]
    yield "counted", [X, te.compute((1, 4, 9, 9), lambda n, c, i, j: _sum(lambda p, q: te.if_then_else(te.all(i + p >= 1, i + p < 10, j + q >= 1, j + q < 10), X[n, c, i + p - 1, j + q - 1], 0.0), 3, 3), name="Y")]


def attention():
    n, m = te.var("n"), te.var("m")
    Q, K, V = (te.placeholder((2, s, 16), name=name) for name, s in (("Q", n), ("K", m), ("V", m)))
    S = te.compute((2, n, m), lambda b, i, j: _sum(lambda d: Q[b, i, d] * K[b, j, d], 16), name="S")
    scaled = te.compute((2, n, m), lambda *i: S(*i) * te.rsqrt(te.const(16, "float32")), name="scaled")
    yield "scores", [Q, K, scaled]
    masked = te.compute((2, n, m), lambda b, i, j: te.if_then_else(j <= i + (m - n), S[b, i, j], te.min_value("float32")), name="masked")
    yield "causal", [Q, K, masked]
    k = te.reduce_axis((0, m), "k")
    top = te.compute((2, n), lambda b, i: te.max(S[b, i, k], axis=k), name="top")
    e = te.compute((2, n, m), lambda b, i, j: te.exp(S[b, i, j] - top[b, i]), name="e")
    r = te.reduce_axis((0, m), "r")
    total = te.compute((2, n), lambda b, i: te.sum(e[b, i, r], axis=r), name="total")
    P = te.compute((2, n, m), lambda b, i, j: e[b, i, j] / total[b, i], name="P")
    t = te.reduce_axis((0, m), "t")
    yield "whole", [Q, K, V, te.compute((2, n, 16), lambda b, i, d: te.sum(P[b, i, t] * V[b, t, d], axis=t), name="O")]
    X = te.placeholder((4, 8, 32), name="X")
    yield "split_heads", [X, te.compute((4, 2, 8, 16), lambda b, h, i, d: X[b, i, h * 16 + d], name="Y")]
    yield "merge_heads", [X, te.compute((1, 8, 128), lambda b, i, d: X[d // 32, i, d % 32], name="Y")]
    C, N = te.placeholder((64, 8), name="C"), te.placeholder((64, 8), name="N")
    R = te.placeholder((2, 10, 16), name="R")
    yield "rotary", [R, C, N, te.compute((2, 10, 16), lambda b, i, d: R[b, i, d] * C[i, d % 8] + te.if_then_else(d < 8, -R[b, i, d + 8], R[b, i, d - 8]) * N[i, d % 8], name="Y")]
    pairs = te.placeholder((2, n, 12), "float16", name="G")
    yield "grouped_queries", [pairs, te.compute((6, n, 12), lambda h, i, d: pairs[h // 3, i, d], name="Y")]


def normalizations():
    n = te.var("n")
    X = te.placeholder((n, 24), name="X")
    mean = te.compute((n,), lambda i: _sum(lambda k: X[i, k], 24), name="mean")
    square = te.compute((n,), lambda i: _sum(lambda k: (X[i, k] - mean[i] / 24.0) * (X[i, k] - mean[i] / 24.0), 24), name="square")
    yield "two_passes", [X, te.compute((n, 24), lambda i, j: (X[i, j] - mean[i] / 24.0) * te.rsqrt(square[i] / 24.0 + 1e-5), name="Y")]
    norm = te.compute((n,), lambda i: X[i, 0] * X[i, 0] + X[i, 23] * X[i, 23], name="norm")
    yield "ends", [X, te.compute((n, 24), lambda i, j: X[i, j] / te.sqrt(norm[i]), name="Y")]
    H = te.placeholder((n, 24), "float16", name="H")
    wide = te.compute((n,), lambda i: _sum(lambda k: H[i, k].astype("float32") * H[i, k].astype("float32"), 24), name="wide")
    yield "half_in_float", [H, te.compute((n, 24), lambda i, j: (H[i, j].astype("float32") * te.rsqrt(wide[i] / te.const(24, "float32"))).astype("float16"), name="Y")]
    B = te.placeholder((2, 6, 5, 5), name="B")
    scale, shift = te.placeholder((6,), name="scale"), te.placeholder((6,), name="shift")
    yield "batch", [B, scale, shift, te.compute((2, 6, 5, 5), lambda n, c, i, j: tvm.tir.max(B[n, c, i, j] * scale[c] + shift[c], 0.0), name="Y")]
    group = te.compute((2, 3), lambda n, g: _sum(lambda c, i, j: B[n, g * 2 + c, i, j], 2, 5, 5), name="group")
    yield "group_means", [B, te.compute((2, 6, 5, 5), lambda n, c, i, j: B[n, c, i, j] - group[n, c // 2] / 50.0, name="Y")]
    local = te.compute((2, 6, 5, 5), lambda n, c, i, j: _sum(lambda k: te.if_then_else(te.all(c + k >= 1, c + k < 7), B[n, c + k - 1, i, j], 0.0), 3), name="local")
    yield "local_response", [B, te.compute((2, 6, 5, 5), lambda *i: B(*i) / te.power(local(*i) * 1e-4 + 1.0, 0.75), name="Y")]


def activations():
    n = te.var("n")
    X = te.placeholder((n, 8), name="X")
    half = te.const(0.5, "float32")
    values = {
        "gelu": lambda x: x * half * (te.erf(x * te.const(0.70710678, "float32")) + 1.0),
        "gelu_tanh": lambda x: half * x * (1.0 + te.tanh(0.7978845608 * (x + 0.044715 * x * x * x))),
        "silu": lambda x: x * te.sigmoid(x),
        "mish": lambda x: x * te.tanh(te.log(te.exp(x) + 1.0)),
        "softplus": lambda x: te.log(1.0 + te.exp(x)),
        "elu": lambda x: tvm.tir.Select(x > 0.0, x, te.exp(x) - 1.0),
        "hard_sigmoid": lambda x: tvm.tir.max(tvm.tir.min(x * 0.2 + 0.5, 1.0), 0.0),
        "hard_swish": lambda x: x * tvm.tir.min(tvm.tir.max(x + 3.0, 0.0), 6.0) / 6.0,
        "softsign": lambda x: x / (1.0 + te.abs(x)),
        "threshold": lambda x: te.if_then_else(x > 0.5, x, te.const(0.0, "float32")),
        "log_sigmoid": lambda x: -te.log(1.0 + te.exp(-x)),
        "celu": lambda x: tvm.tir.max(x, 0.0) + tvm.tir.min(0.0, 2.0 * (te.exp(x / 2.0) - 1.0)),
        "step": lambda x: (x > 0.0).astype("float32"),
        "square_root_of_abs": lambda x: te.sqrt(te.abs(x)),
    }
    for name, value in values.items():
        yield name, [X, te.compute((n, 8), lambda i, j: value(X[i, j]), name="Y")]


def indirect():
    n, m = te.var("n"), te.var("m")
    table = te.placeholder((100, 16), name="table")
    ids = te.placeholder((n,), "int32", name="ids")
    yield "embedding", [table, ids, te.compute((n, 16), lambda i, j: table[ids[i], j], name="Y")]
    bags = te.placeholder((n, 5), "int32", name="bags")
    yield "bags", [table, bags, te.compute((n, 16), lambda i, j: _sum(lambda k: table[bags[i, k], j], 5), name="Y")]
    long = te.placeholder((n,), "int64", name="long")
    yield "int64_ids", [table, long, te.compute((n, 16), lambda i, j: table[long[i], j], name="Y")]
    perm = te.placeholder((n,), "int32", name="perm")
    X = te.placeholder((n, m), name="X")
    yield "twice", [X, perm, te.compute((n, m), lambda i, j: X[perm[perm[i]], j], name="Y")]
    yield "clipped", [X, perm, te.compute((n, m), lambda i, j: X[tvm.tir.min(tvm.tir.max(perm[i], 0), n - 1), j], name="Y")]
    yield "guarded", [X, perm, te.compute((n, m), lambda i, j: te.if_then_else(te.all(perm[i] >= 0, perm[i] < n), X[perm[i], j], 0.0), name="Y")]
    yield "one_hot", [ids, te.compute((n, 10), lambda i, j: te.if_then_else(ids[i] == j, 1.0, 0.0), name="Y")]
    pages = te.placeholder((4, 8), "int32", name="pages")
    cache = te.placeholder((32, 16, 8), name="cache")
    yield "pages", [pages, cache, te.compute((4, 128, 8), lambda b, i, d: cache[pages[b, i // 16], i % 16, d], name="Y")]
    starts = te.placeholder((n + 1,), "int32", name="starts")
    yield "lengths", [starts, te.compute((n,), lambda i: starts[i + 1] - starts[i], name="Y")]


def algebra():
    n, m = te.var("n"), te.var("m")
    A, B = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), "k")
    yield "trace", [A, te.compute((1,), lambda _: te.sum(A[k, k], axis=k), name="Y")]
    yield "diagonal", [A, te.compute((n,), lambda i: A[i, i], name="Y")]
    yield "from_diagonal", [A, te.compute((n, n), lambda i, j: te.if_then_else(i == j, A[i, j], 0.0), name="Y")]
    yield "symmetric_part", [A, te.compute((n, n), lambda i, j: (A[i, j] + A[j, i]) * 0.5, name="Y")]
    yield "upper", [A, te.compute((n, n), lambda i, j: te.if_then_else(j >= i, A[i, j], 0.0), name="Y")]
    yield "gram", [A, te.compute((n, n), lambda i, j: te.sum(A[k, i] * A[k, j], axis=k), name="Y")]
    x, y = te.placeholder((n,), name="x"), te.placeholder((m,), name="y")
    yield "outer", [x, y, te.compute((n, m), lambda i, j: x[i] * y[j], name="Y")]
    P, Q = te.placeholder((3, 4), name="P"), te.placeholder((5, 6), name="Q")
    yield "kronecker", [P, Q, te.compute((15, 24), lambda i, j: P[i // 5, j // 6] * Q[i % 5, j % 6], name="Y")]
    yield "matrix_vector", [A, x, te.compute((n,), lambda i: te.sum(A[i, k] * x[k], axis=k), name="Y")]
    C = te.compute((n, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    h = te.reduce_axis((0, n), "h")
    yield "power_of_three", [A, B, te.compute((n, n), lambda i, j: te.sum(C[i, h] * A[h, j], axis=h), name="Y")]
    yield "axpy", [x, te.compute((n,), lambda i: 2.5 * x[i] + x[n - 1 - i], name="Y")]
    yield "distance", [P, te.compute((3, 3), lambda i, j: _sum(lambda k: te.abs(P[i, k] - P[j, k]), 4), name="Y")]
    a, b = te.placeholder((n, 3), name="a"), te.placeholder((n, 3), name="b")
    yield "cross", [a, b, te.compute((n, 3), lambda i, j: a[i, (j + 1) % 3] * b[i, (j + 2) % 3] - a[i, (j + 2) % 3] * b[i, (j + 1) % 3], name="Y")]
    re, im = te.placeholder((n,), name="re"), te.placeholder((n,), name="im")
    yield "complex_product", [re, im, *te.compute((n,), lambda i: (re[i] * re[i] - im[i] * im[i], 2.0 * re[i] * im[i]), name="Y")]


def images():
    X = te.placeholder((3, 20, 30), name="X")
    yield "gray", [X, te.compute((20, 30), lambda i, j: 0.299 * X[0, i, j] + 0.587 * X[1, i, j] + 0.114 * X[2, i, j], name="Y")]
    yield "flip", [X, te.compute((3, 20, 30), lambda c, i, j: X[c, i, 29 - j], name="Y")]
    yield "rotate", [X, te.compute((3, 30, 20), lambda c, i, j: X[c, j, 29 - i], name="Y")]
    yield "crop", [X, te.compute((3, 10, 12), lambda c, i, j: X[c, i + 5, j + 9], name="Y")]
    yield "nearest", [X, te.compute((3, 40, 45), lambda c, i, j: X[c, i // 2, j * 2 // 3], name="Y")]
    yield "laplace", [X, te.compute((3, 18, 28), lambda c, i, j: X[c, i, j + 1] + X[c, i + 2, j + 1] + X[c, i + 1, j] + X[c, i + 1, j + 2] - X[c, i + 1, j + 1] * 4.0, name="Y")]
    yield "shuffle", [X, te.compute((3, 10, 15, 2, 2), lambda c, i, j, p, q: X[c, i * 2 + p, j * 2 + q], name="Y")]
    yield "clamped_edge", [X, te.compute((3, 22, 32), lambda c, i, j: X[c, tvm.tir.min(tvm.tir.max(i - 1, 0), 19), tvm.tir.min(tvm.tir.max(j - 1, 0), 29)], name="Y")]
    U = te.placeholder((20, 30), "uint8", name="U")
    yield "invert", [U, te.compute((20, 30), lambda i, j: te.const(255, "uint8") - U[i, j], name="Y")]
    yield "to_float", [U, te.compute((20, 30), lambda i, j: U[i, j].astype("float32") / 255.0, name="Y")]
    yield "threshold", [U, te.compute((20, 30), lambda i, j: (U[i, j] > te.const(127, "uint8")).astype("uint8"), name="Y")]
    yield "reflect", [X, te.compute((3, 24, 30), lambda c, i, j: X[c, te.if_then_else(i < 2, 2 - i, te.if_then_else(i < 22, i - 2, 40 - i)), j], name="Y")]


def signals():
    n = te.var("n")
    x, h = te.placeholder((n,), name="x"), te.placeholder((7,), name="h")
    yield "fir", [x, h, te.compute((n - 6,), lambda i: _sum(lambda k: x[i + k] * h[6 - k], 7), name="Y")]
    yield "decimate", [x, te.compute((n // 4,), lambda i: x[i * 4], name="Y")]
    yield "interpolate", [x, te.compute((n * 2,), lambda i: te.if_then_else(i % 2 == 0, x[i // 2], 0.0), name="Y")]
    yield "difference", [x, te.compute((n - 1,), lambda i: x[i + 1] - x[i], name="Y")]
    yield "circular", [x, te.compute((n,), lambda i: x[(i + 3) % n], name="Y")]
    X = te.placeholder((16,), name="X")
    yield "butterfly", [X, te.compute((16,), lambda i: te.if_then_else(i % 2 == 0, X[i // 2] + X[i // 2 + 8], X[i // 2] - X[i // 2 + 8]), name="Y")]
    yield "cosines", [X, te.compute((16,), lambda i: _sum(lambda k: X[k] * te.cos((2 * k + 1).astype("float32") * i.astype("float32") * 0.0981747704), 16), name="Y")]
    yield "hann", [te.compute((64,), lambda i: 0.5 - 0.5 * te.cos(i.astype("float32") * 0.0997331001), name="Y")]
    yield "frames", [x, te.compute((n // 8 - 1, 16), lambda i, j: x[i * 8 + j], name="Y")]
    yield "energy", [x, te.compute((n // 8,), lambda i: _sum(lambda k: x[i * 8 + k] * x[i * 8 + k], 8), name="Y")]


def quantization():
    n = te.var("n")
    X = te.placeholder((n, 16), name="X")
    yield "to_int8", [X, te.compute((n, 16), lambda i, j: tvm.tir.min(tvm.tir.max(te.round(X[i, j] * 20.0), -128.0), 127.0).astype("int8"), name="Y")]
    Q, s = te.placeholder((n, 16), "int8", name="Q"), te.placeholder((16,), name="s")
    yield "by_channel", [Q, s, te.compute((n, 16), lambda i, j: Q[i, j].astype("float32") * s[j], name="Y")]
    U = te.placeholder((n, 8), "uint8", name="U")
    yield "nibbles", [U, te.compute((n, 16), lambda i, j: (U[i, j // 2] >> ((j % 2) * 4).astype("uint8")) & te.const(15, "uint8"), name="Y")]
    W = te.placeholder((n, 4), "uint32", name="W")
    yield "words", [W, te.compute((n, 32), lambda i, j: ((W[i, j // 8] >> ((j % 8) * 4).astype("uint32")) & te.const(15, "uint32")).astype("float16"), name="Y")]
    top = te.reduce_axis((0, 16), "top")
    peak = te.compute((n,), lambda i: te.max(te.abs(X[i, top]), axis=top), name="peak")
    yield "by_row", [X, te.compute((n, 16), lambda i, j: te.round(X[i, j] / peak[i] * 127.0).astype("int8"), name="Y")]
    yield "groups", [Q, s, te.compute((n, 16), lambda i, j: Q[i, j].astype("float32") * s[j // 4 * 4], name="Y")]
    B = te.placeholder((n, 64), "bool", name="B")
    yield "pack_bits", [B, te.compute((n, 8), lambda i, j: _sum(lambda k: te.if_then_else(B[i, j * 8 + k], te.const(1, "int32") << k, te.const(0, "int32")), 8), name="Y")]
    H = te.placeholder((n, 16), "bfloat16", name="H")
    yield "bfloat16", [H, te.compute((n, 16), lambda i, j: H[i, j].astype("float32") * 2.0, name="Y")]


def reducers():
    n = te.var("n")
    X = te.placeholder((n, 12), name="X")
    k = te.reduce_axis((0, 12), "k")
    online = te.comm_reducer(lambda x, y: (tvm.tir.max(x[0], y[0]), x[1] * te.exp(x[0] - tvm.tir.max(x[0], y[0])) + y[1] * te.exp(y[0] - tvm.tir.max(x[0], y[0]))), lambda a, b: (te.min_value(a), te.const(0, b)), name="online")
    yield "online_softmax", [X, *te.compute((n,), lambda i: online((X[i, k], te.const(1, "float32")), axis=k), name="Y")]
    span = te.comm_reducer(lambda x, y: (tvm.tir.min(x[0], y[0]), tvm.tir.max(x[1], y[1])), lambda a, b: (te.max_value(a), te.min_value(b)), name="span")
    yield "span", [X, *te.compute((n,), lambda i: span((X[i, k], X[i, k]), axis=k), name="Y")]
    xor = te.comm_reducer(lambda x, y: x ^ y, lambda t: te.const(0, t), name="xor")
    I = te.placeholder((n, 12), "int32", name="I")
    yield "xor", [I, te.compute((n,), lambda i: xor(I[i, k], axis=k), name="Y")]
    last = te.comm_reducer(lambda x, y: y, lambda t: te.const(0, t), name="last")
    yield "last", [X, te.compute((n,), lambda i: last(X[i, k], axis=k), name="Y")]
    yield "min_of_products", [X, te.compute((n,), lambda i: te.min(X[i, k] * X[i, 11 - k], axis=k), name="Y")]
    counted = te.compute((n,), lambda i: te.sum((X[i, k] > 0.0).astype("int32"), axis=k), name="Y")
    yield "count", [X, counted]
    yield "weighted", [X, te.compute((n,), lambda i: te.sum(X[i, k] * (k + 1).astype("float32") * i.astype("float32"), axis=k), name="Y")]
    mean = te.comm_reducer(lambda x, y: (x[0] + y[0], x[1] + y[1], x[2] + y[2]), lambda a, b, c: (te.const(0, a), te.const(0, b), te.const(0, c)), name="moments")
    yield "three", [X, *te.compute((n,), lambda i: mean((te.const(1, "int32"), X[i, k], X[i, k] * X[i, k]), axis=k), name="Y")]


def states():
    n = te.var("n")
    X, Hs = te.placeholder((n, 8), name="X"), te.placeholder((n, 8), name="H")
    W = te.placeholder((32, 8), name="W")
    gates = te.compute((n, 32), lambda i, j: _sum(lambda k: X[i, k] * W[j, k], 8), name="gates")
    yield "gates", [X, W, te.compute((n, 8), lambda i, j: te.sigmoid(gates[i, j]) * te.tanh(gates[i, j + 8]), name="Y")]
    yield "cell", [X, Hs, W, *te.compute((n, 8), lambda i, j: (te.sigmoid(gates[i, j + 8]) * Hs[i, j] + te.sigmoid(gates[i, j]) * te.tanh(gates[i, j + 16]), te.sigmoid(gates[i, j + 24])), name="Y")]
    yield "mix", [X, Hs, te.compute((n, 8), lambda i, j: X[i, j] * 0.9 + Hs[i, j] * te.const(0.1, "float32"), name="Y")]
    loss = te.compute((n,), lambda i: _sum(lambda k: (X[i, k] - Hs[i, k]) * (X[i, k] - Hs[i, k]), 8), name="loss")
    r = te.reduce_axis((0, n), "r")
    yield "loss", [X, Hs, te.compute((), lambda: te.sum(loss[r], axis=r), name="Y")]
    yield "entropy", [X, te.compute((n,), lambda i: _sum(lambda k: -X[i, k] * te.log(X[i, k] + 1e-9), 8), name="Y")]
    step = te.placeholder((1,), name="step")
    yield "sgd", [X, Hs, step, te.compute((n, 8), lambda i, j: X[i, j] - step[0] * Hs[i, j], name="Y")]
    yield "clip_gradient", [X, te.compute((n, 8), lambda i, j: tvm.tir.min(tvm.tir.max(X[i, j], te.const(-1, "float32")), te.const(1, "float32")), name="Y")]
