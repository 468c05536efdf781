"""Reductions: combiners, axes, conditions, dtypes, several outputs."""

#: where the text differs from TVM's
DIFFERENT = {
    "axes.int64": "TVM's block axes begin at an int32 zero under int64 extents, so that they are no T.axis.remap",
    "conditions.where": "TVM drops the condition of a reduction",
    "conditions.where_two": "TVM drops the condition of a reduction",
    "inits.constant": "TVM drops the initial value of a reduction",
    "inits.tensor": "TVM drops the initial value of a reduction",
    "dependent_axes.triangle": "TVM leaves the axis in the domain of another axis undefined",
    "dependent_axes.rows": "TVM leaves the axis in the domain of another axis undefined",
}


def combiners():
    for name in ("sum", "max", "min"):
        for dtype in ("float32", "float16", "int32", "int8", "uint8", "float64"):
            A = te.placeholder((16, 32), dtype, name="A")
            k = te.reduce_axis((0, 32), name="k")
            yield f"{name}_{dtype}", [A, te.compute((16,), lambda i: getattr(te, name)(A[i, k], axis=k), name="B")]


def prod():
    prod = te.comm_reducer(lambda x, y: x * y, lambda t: tvm.tir.const(1, dtype=t), name="prod")
    A = te.placeholder((16, 32), name="A")
    k = te.reduce_axis((0, 32), name="k")
    yield "prod", [A, te.compute((16,), lambda i: prod(A[i, k], axis=k), name="B")]
    P = te.placeholder((16, 32), "bool", name="P")
    both = te.comm_reducer(lambda x, y: tvm.tir.And(x, y), lambda t: tvm.tir.const(1, t), name="all")
    yield "all", [P, te.compute((16,), lambda i: both(P[i, k], axis=k), name="B")]
    either = te.comm_reducer(lambda x, y: tvm.tir.Or(x, y), lambda t: tvm.tir.const(0, t), name="any")
    yield "any", [P, te.compute((16,), lambda i: either(P[i, k], axis=k), name="B")]
    logsum = te.comm_reducer(
        lambda x, y: te.log(te.exp(x) + te.exp(y)), lambda t: te.min_value(t), name="logsumexp"
    )
    yield "logsumexp", [A, te.compute((16,), lambda i: logsum(A[i, k], axis=k), name="B")]


def matmuls():
    n, m, K = te.var("n"), te.var("m"), te.var("K")
    for name, (x, y, z) in {"constant": (128, 128, 128), "symbolic": (n, m, K), "mixed": (n, 128, 64)}.items():
        A = te.placeholder((x, z), name="A")
        B = te.placeholder((z, y), name="B")
        k = te.reduce_axis((0, z), name="k")
        yield name, [A, B, te.compute((x, y), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")]
    A = te.placeholder((4, 16, 8), "int8", name="A")
    B = te.placeholder((4, 8, 16), "int8", name="B")
    k = te.reduce_axis((0, 8), name="k")
    yield "batch_int8", [
        A,
        B,
        te.compute(
            (4, 16, 16),
            lambda b, i, j: te.sum(A[b, i, k].astype("int32") * B[b, k, j].astype("int32"), axis=[k]),
            name="C",
        ),
    ]


def axes():
    A = te.placeholder((4, 5, 6, 7), name="A")
    i, j, k = (te.reduce_axis((0, e), name=n) for e, n in ((4, "i"), (5, "j"), (6, "k")))
    last = te.reduce_axis((0, 7), name="l")
    yield "all", [A, te.compute((), lambda: te.sum(A[i, j, k, last], axis=[i, j, k, last]), name="B")]
    yield "all_to_one", [A, te.compute((1,), lambda x: te.sum(A[i, j, k, last], axis=[i, j, k, last]), name="B")]
    yield "middle", [A, te.compute((4, 7), lambda x, y: te.sum(A[x, j, k, y], axis=[j, k]), name="B")]
    yield "order", [A, te.compute((4, 7), lambda x, y: te.sum(A[x, j, k, y], axis=[k, j]), name="B")]
    yield "keepdims", [A, te.compute((4, 1, 6, 7), lambda a, b, c, d: te.sum(A[a, j, c, d], axis=j), name="B")]
    shifted = te.reduce_axis((2, 7), name="r")
    yield "begins_at_two", [A, te.compute((4, 5, 6), lambda a, b, c: te.sum(A[a, b, c, shifted], axis=shifted), name="B")]
    yield "unnamed", [
        A,
        (lambda r: te.compute((4, 5, 6), lambda a, b, c: te.sum(A[a, b, c, r], axis=r), name="B"))(te.reduce_axis((0, 7))),
    ]
    one = te.reduce_axis((0, 1), name="one")
    yield "extent_one", [A, te.compute((4,), lambda a: te.sum(A[a, 0, 0, one], axis=one), name="B")]
    n = te.var("n")
    sized = te.reduce_axis((0, n), name="r")
    V = te.placeholder((n, n), name="V")
    yield "symbolic", [V, te.compute((n,), lambda a: te.max(V[a, sized], axis=sized), name="B")]
    wide = te.reduce_axis((0, te.const(7, "int64")), name="w")
    yield "int64", [A, te.compute((4,), lambda a: te.sum(A[a, 0, 0, wide], axis=wide), name="B")]


def conditions():
    A = te.placeholder((16, 16), name="A")
    k = te.reduce_axis((0, 16), name="k")
    yield "where", [A, te.compute((16,), lambda i: te.sum(A[i, k], axis=k, where=k < i), name="B")]
    yield "inside", [
        A,
        te.compute((16,), lambda i: te.sum(te.if_then_else(k < i, A[i, k], 0.0), axis=k), name="B"),
    ]
    yield "where_two", [A, te.compute((16,), lambda i: te.max(A[i, k], axis=k, where=te.all(k < i, k > 2)), name="B")]


def inits():
    A = te.placeholder((16, 16), name="A")
    I = te.placeholder((16,), name="I")
    k = te.reduce_axis((0, 16), name="k")
    yield "constant", [A, te.compute((16,), lambda i: te.sum(A[i, k], axis=k, init=1.0), name="B")]
    yield "tensor", [A, I, te.compute((16,), lambda i: te.sum(A[i, k], axis=k, init=I[i]), name="B")]


def values():
    A = te.placeholder((16, 16), name="A")
    k = te.reduce_axis((0, 16), name="k")
    yield "square", [A, te.compute((16,), lambda i: te.sum(A[i, k] * A[i, k], axis=k), name="B")]
    yield "exp", [A, te.compute((16,), lambda i: te.sum(te.exp(A[i, k]), axis=k), name="B")]
    yield "axis", [A, te.compute((16,), lambda i: te.sum(A[i, k] * k.astype("float32"), axis=k), name="B")]
    yield "axis_arithmetic", [A, te.compute((16,), lambda i: te.sum(A[i, 15 - k], axis=k), name="B")]
    yield "constant", [te.compute((16,), lambda i: te.sum(tvm.tir.const(1, "int32"), axis=k), name="B")]
    yield "cast", [A, te.compute((16,), lambda i: te.sum(A[i, k].astype("float64"), axis=k), name="B")]
    yield "of_axis_only", [te.compute((16,), lambda i: te.max(i * k, axis=k), name="B")]


def argmax():
    def fcombine(x, y):
        lhs = tvm.tir.Select((x[1] >= y[1]), x[0], y[0])
        rhs = tvm.tir.Select((x[1] >= y[1]), x[1], y[1])
        return lhs, rhs

    def fidentity(t0, t1):
        return tvm.tir.const(-1, t0), te.min_value(t1)

    argmax = te.comm_reducer(fcombine, fidentity, name="argmax")
    m, n = te.var("m"), te.var("n")
    idx = te.placeholder((m, n), name="idx", dtype="int32")
    val = te.placeholder((m, n), name="val", dtype="float32")
    k = te.reduce_axis((0, n), "k")
    T0, T1 = te.compute((m,), lambda i: argmax((idx[i, k], val[i, k]), axis=k), name="T")
    yield "tensors", [idx, val, T0, T1]
    A = te.placeholder((8, 32), name="A")
    r = te.reduce_axis((0, 32), "r")
    B0, B1 = te.compute((8,), lambda i: argmax((r.var, A[i, r]), axis=r), name="B")
    yield "index", [A, B0, B1]
    yield "one_used", [A, te.compute((8,), lambda i: B0[i] + 1, name="C")]


def sum_pairs():
    pair = te.comm_reducer(
        lambda x, y: (x[0] + y[0], x[1] + y[1]), lambda s, t: (tvm.tir.const(0, s), tvm.tir.const(0, t)), name="pair"
    )
    A = te.placeholder((8, 32), name="A")
    r = te.reduce_axis((0, 32), "r")
    B0, B1 = te.compute((8,), lambda i: pair((A[i, r], A[i, r] * A[i, r]), axis=r), name="B")
    yield "moments", [A, B0, B1]
    yield "moments_reversed", [A, B1, B0]


def dependent_axes():
    A = te.placeholder((16,), name="A")
    P = te.placeholder((17,), "int32", name="P")
    k = te.reduce_axis((0, 16), name="k")
    r = te.reduce_axis((0, k + 1), name="r")
    yield "triangle", [A, te.compute((4,), lambda i: te.sum(A[r], axis=[k, r]), name="B")]

    def row(i):
        s = te.reduce_axis((P[i], P[i + 1]), name="s")
        return te.sum(A[s], axis=s)

    yield "rows", [A, P, te.compute((16,), row, name="B")]
