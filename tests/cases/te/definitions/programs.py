"""Graphs of several stages; operators as libraries write them."""

#: where the text differs from TVM's
DIFFERENT = {
    "externs.between": "TVM leaves the offset variable of an input's buffer undefined; here it is the offset of the tensor's buffer",
}


def chains():
    A = te.placeholder((16, 16), name="A")
    B = te.compute((16, 16), lambda i, j: A[i, j] * 2.0, name="B")
    C = te.compute((16, 16), lambda i, j: B[i, j] + 1.0, name="C")
    D = te.compute((16, 16), lambda i, j: B[i, j] + C[j, i], name="D")
    yield "two", [A, C]
    yield "diamond", [A, D]
    yield "inner_is_parameter", [A, B, C]
    yield "two_outputs", [A, C, D]
    yield "outputs_reversed", [A, D, C]
    yield "output_first", [C, A]
    yield "input_left_out", [D]
    yield "only_input", [A]


def multiple_outputs():
    A = te.placeholder((8,), name="A")
    B = te.placeholder((8,), name="B")
    C, D = te.compute((8,), lambda i: (A[i] + B[i], A[i] - B[i]), name="C")
    yield "both", [A, B, C, D]
    yield "swapped", [A, B, D, C]
    yield "used", [A, B, te.compute((8,), lambda i: C[i] * D[i], name="E")]
    yield "first_only", [A, B, C]
    X, Y, Z = te.compute((8, 4), lambda i, j: (A[i], B[i], A[i] * B[i]), name="X")
    yield "three", [A, B, X, Y, Z]
    P, Q = te.compute((8,), lambda i: (A[i], A[i].astype("int32")), name="P")
    yield "dtypes", [A, P, Q]


def softmax():
    for name, (m, n) in {"constant": (32, 64), "symbolic": (te.var("m"), te.var("n"))}.items():
        A = te.placeholder((m, n), name="A")
        k = te.reduce_axis((0, n), name="k")
        top = te.compute((m,), lambda i: te.max(A[i, k], axis=k), name="T_softmax_maxelem")
        e = te.compute((m, n), lambda i, j: te.exp(A[i, j] - top[i]), name="T_softmax_exp")
        k2 = te.reduce_axis((0, n), name="k")
        s = te.compute((m,), lambda i: te.sum(e[i, k2], axis=k2), name="T_softmax_expsum")
        yield name, [A, te.compute((m, n), lambda i, j: e[i, j] / s[i], name="T_softmax_norm")]


def convolutions():
    A = te.placeholder((1, 3, 34, 34), name="A")
    W = te.placeholder((8, 3, 3, 3), name="W")
    rc, ry, rx = te.reduce_axis((0, 3), "rc"), te.reduce_axis((0, 3), "ry"), te.reduce_axis((0, 3), "rx")
    conv = te.compute(
        (1, 8, 32, 32),
        lambda n, f, y, x: te.sum(A[n, rc, y + ry, x + rx] * W[f, rc, ry, rx], axis=[rc, ry, rx]),
        name="conv",
    )
    yield "plain", [A, W, conv]
    yield "relu", [A, W, te.compute(conv.shape, lambda *i: tvm.tir.max(conv(*i), 0.0), name="relu")]
    bias = te.placeholder((8,), name="bias")
    yield "bias", [A, W, bias, te.compute(conv.shape, lambda n, f, y, x: conv[n, f, y, x] + bias[f], name="out")]
    strided = te.compute(
        (1, 8, 16, 16),
        lambda n, f, y, x: te.sum(A[n, rc, y * 2 + ry, x * 2 + rx] * W[f, rc, ry, rx], axis=[rc, ry, rx]),
        name="conv",
    )
    yield "strided", [A, W, strided]
    pad = te.compute(
        (1, 3, 36, 36),
        lambda n, c, y, x: te.if_then_else(
            te.all(y >= 1, y < 35, x >= 1, x < 35), A[n, c, y - 1, x - 1], tvm.tir.const(0.0, "float32")
        ),
        name="pad",
    )
    padded = te.compute(
        (1, 8, 34, 34),
        lambda n, f, y, x: te.sum(pad[n, rc, y + ry, x + rx] * W[f, rc, ry, rx], axis=[rc, ry, rx]),
        name="conv",
    )
    yield "padded", [A, W, padded]


def pooling():
    A = te.placeholder((1, 8, 16, 16), name="A")
    dy, dx = te.reduce_axis((0, 2), "dy"), te.reduce_axis((0, 2), "dx")
    yield "max", [
        A,
        te.compute((1, 8, 8, 8), lambda n, c, y, x: te.max(A[n, c, y * 2 + dy, x * 2 + dx], axis=[dy, dx]), name="P"),
    ]
    total = te.compute(
        (1, 8, 8, 8), lambda n, c, y, x: te.sum(A[n, c, y * 2 + dy, x * 2 + dx], axis=[dy, dx]), name="S"
    )
    yield "average", [A, te.compute((1, 8, 8, 8), lambda *i: total(*i) / te.const(4.0, "float32"), name="P")]


def normalizations():
    A = te.placeholder((8, 64), name="A")
    g = te.placeholder((64,), name="gamma")
    k = te.reduce_axis((0, 64), "k")
    mean = te.compute((8,), lambda i: te.sum(A[i, k], axis=k) if False else te.sum(A[i, k] / 64.0, axis=k), name="mean")
    k2 = te.reduce_axis((0, 64), "k")
    var = te.compute(
        (8,), lambda i: te.sum((A[i, k2] - mean[i]) * (A[i, k2] - mean[i]) / 64.0, axis=k2), name="var"
    )
    yield "layer_norm", [
        A,
        g,
        te.compute((8, 64), lambda i, j: (A[i, j] - mean[i]) * te.rsqrt(var[i] + 1e-5) * g[j], name="out"),
    ]
    sq = te.compute((8,), lambda i: te.sum(A[i, k2] * A[i, k2], axis=k2), name="sq")
    yield "rms_norm", [
        A,
        g,
        te.compute((8, 64), lambda i, j: A[i, j] * te.rsqrt(sq[i] / 64.0 + 1e-5) * g[j], name="out"),
    ]


def layouts():
    A = te.placeholder((6, 8), name="A")
    yield "reshape", [A, te.compute((48,), lambda i: A[i // 8, i % 8], name="B")]
    yield "tiles", [A, te.compute((3, 2, 2, 4), lambda a, b, c, d: A[a * 2 + c, b * 4 + d], name="B")]
    yield "concatenate", [A, te.compute((12, 8), lambda i, j: te.if_then_else(i < 6, A[i, j], A[i - 6, j]), name="B")]
    yield "repeat", [A, te.compute((12, 8), lambda i, j: A[i // 2, j], name="B")]
    yield "expand", [A, te.compute((6, 1, 8), lambda i, _, j: A[i, j], name="B")]
    yield "iota", [te.compute((6, 8), lambda i, j: i * 8 + j, name="B")]
    yield "full", [te.compute((6, 8), lambda i, j: tvm.tir.const(3.0, "float32"), name="B")]


def dtype_of_index():
    n = te.var("n")
    A = te.placeholder((n, 8), name="A")
    k = te.reduce_axis((0, 8), "k")
    B = te.compute((n,), lambda i: te.sum(A[i, k], axis=k), name="B")
    yield "int64", {"ops": [A, B], "index_dtype_override": "int64"}
    C = te.compute((n, 8), lambda i, j: A[i, j] + (i + j).astype("float32"), name="C")
    yield "int64_values", {"ops": [A, C], "index_dtype_override": "int64"}


def externs():
    A = te.placeholder((16,), name="A")
    B = te.placeholder((16,), name="B")

    def packed(ins, outs):
        return tvm.tir.call_packed("my.add", ins[0], ins[1], outs[0])

    yield "packed", [A, B, te.extern((16,), [A, B], packed, name="C")]
    C = te.compute((16,), lambda i: A[i] + 1.0, name="C")
    D = te.extern((16,), [C, B], packed, name="D")
    yield "between", [A, B, te.compute((16,), lambda i: D[i] * 2.0, name="E")]
    X, Y = te.extern(
        [(16,), (8,)], [A], lambda ins, outs: tvm.tir.call_packed("my.split", ins[0], outs[0], outs[1]), name="X", dtype=["float32", "int32"]
    )
    yield "two", [A, X, Y]
    yield "dtype", [A, te.extern((4, 4), [A], lambda ins, outs: tvm.tir.call_packed("f", ins[0], outs[0]), dtype="int8", name="Q")]

    def body(ins, outs):
        i = te.var("i")
        return tvm.tir.For(i, 0, 16, 0, tvm.tir.BufferStore(outs[0], ins[0][i] * 2.0, [i]))

    yield "statement", [A, te.extern((16,), [A], body, name="S")]
    inside = tvm.tir.decl_buffer(A.shape, "float32", "inside")
    yield "in_buffers", [A, te.extern((16,), [A], body, in_buffers=inside, name="S")]


def tensor_operators():
    A = te.placeholder((4, 5), name="A")
    B = te.placeholder((4, 5), name="B")
    k = te.reduce_axis((0, 5), "k")
    S = te.compute((4,), lambda i: te.sum(A[i, k], axis=k), name="S")
    yield "outputs", [A, S.op.output(0)]
    yield "input_tensors", [*S.op.input_tensors, S]
    with te.tag_scope("injective"):
        C = te.compute((4, 5), lambda i, j: A[i, j] + B[i, j], name="C")
    yield "tag_scope", [A, B, C]
