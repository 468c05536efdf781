"""Loop primitives of one or two stages."""

#: where the text differs from TVM's
DIFFERENT = {
    "split.nparts_n_4": "terms of a product with a symbolic quotient are in another order",
    "split.nparts_n_8": "terms of a product with a symbolic quotient are in another order",
    "pragmas.prefetch": "TVM prefetches the transposed region: see tir.StorageFlatten",
    "pragmas.prefetch_outer": "TVM prefetches the transposed region: see tir.StorageFlatten",
}


def _matrix(m=64, n=48):
    A = te.placeholder((m, n), name="A")
    B = te.compute((m, n), lambda i, j: A[i, j] + 1.0, name="B")
    return A, B


def _matmul(m=32, n=32, l=32):
    A = te.placeholder((m, l), name="A")
    B = te.placeholder((l, n), name="B")
    k = te.reduce_axis((0, l), name="k")
    C = te.compute((m, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    return A, B, C


def plain():
    A, B = _matrix()
    yield "elementwise", (te.create_schedule(B.op), [A, B])
    A, B, C = _matmul()
    yield "matmul", (te.create_schedule(C.op), [A, B, C])
    n = te.var("n")
    A = te.placeholder((n,), name="A")
    B = te.placeholder((n,), name="B")
    C = te.compute(A.shape, lambda i: A[i] + B[i], name="C")
    yield "page_one", (te.create_schedule(C.op), [A, B, C])
    n, m, l = te.var("n"), te.var("m"), te.var("l")
    A, B, C = _matmul(n, m, l)
    s = te.create_schedule(C.op)
    s[C].parallel(C.op.axis[0])
    yield "page_two", (s, [A, B, C])
    A = te.placeholder((), name="A")
    B = te.compute((), lambda: A() + 1.0, name="B")
    yield "rank_zero", (te.create_schedule(B.op), [A, B])
    A = te.placeholder((1, 4), name="A")
    B = te.compute((1, 4), lambda i, j: A[i, j] + 1.0, name="B")
    yield "extent_one", (te.create_schedule(B.op), [A, B])
    yield "unused_argument", (te.create_schedule(B.op), [te.placeholder((3,), name="X"), A, B])
    x = te.var("x", "float32")
    C = te.compute((1, 4), lambda i, j: A[i, j] * x, name="C")
    yield "scalar", (te.create_schedule(C.op), [A, x, C])
    m = te.var("m")
    D = te.compute((m,), lambda i: A[0, i % 4], name="D")
    yield "size", (te.create_schedule(D.op), [m, A, D])
    E = te.placeholder((te.const(8, "int64"),), name="E")
    F = te.compute(E.shape, lambda i: E[i] + 1.0, name="F")
    s = te.create_schedule(F.op)
    s[F].split(F.op.axis[0], 3)
    yield "int64", (s, [E, F])
    G = te.placeholder((te.const(8, "int64"), te.const(6, "int64")), name="G")
    H = te.compute(G.shape, lambda i, j: G[i, j] + 1.0, name="H")
    s = te.create_schedule(H.op)
    s[H].split(s[H].fuse(*H.op.axis), 5)
    yield "int64_fused", (s, [G, H])


def split():
    for extent in (64, 60, 7, te.var("n")):
        for factor in (4, 8):
            A = te.placeholder((extent,), name="A")
            B = te.compute((extent,), lambda i: A[i] * 2.0, name="B")
            s = te.create_schedule(B.op)
            s[B].split(B.op.axis[0], factor=factor)
            yield f"factor_{extent}_{factor}", (s, [A, B])
            s = te.create_schedule(B.op)
            s[B].split(B.op.axis[0], nparts=factor)
            yield f"nparts_{extent}_{factor}", (s, [A, B])
    A, B = _matrix(64, 60)
    s = te.create_schedule(B.op)
    o, i = s[B].split(B.op.axis[0], 16)
    s[B].split(i, 4)
    yield "twice", (s, [A, B])
    s = te.create_schedule(B.op)
    o, i = s[B].split(B.op.axis[1], 16)
    s[B].split(i, 5)
    yield "twice_with_rest", (s, [A, B])
    s = te.create_schedule(B.op)
    o, i = s[B].split(B.op.axis[1], 7)
    s[B].split(o, nparts=2)
    yield "outer_of_a_rest", (s, [A, B])
    s = te.create_schedule(B.op)
    s[B].split(B.op.axis[1], 7, disable_predication=True)
    yield "without_predicate", (s, [A, B])
    A, B = _matrix(2, 3)
    s = te.create_schedule(B.op)
    s[B].split(B.op.axis[1], 8)
    yield "factor_too_large", (s, [A, B])
    s = te.create_schedule(B.op)
    s[B].split(B.op.axis[1], nparts=8)
    yield "nparts_too_large", (s, [A, B])


def fuse():
    A, B = _matrix()
    s = te.create_schedule(B.op)
    s[B].fuse(*B.op.axis)
    yield "all", (s, [A, B])
    s = te.create_schedule(B.op)
    f = s[B].fuse(*B.op.axis)
    s[B].split(f, 32)
    yield "and_split", (s, [A, B])
    s = te.create_schedule(B.op)
    f = s[B].fuse(*B.op.axis)
    s[B].split(f, 7)
    yield "and_split_with_rest", (s, [A, B])
    n, m = te.var("n"), te.var("m")
    A, B = _matrix(n, m)
    s = te.create_schedule(B.op)
    f = s[B].fuse(*B.op.axis)
    s[B].split(f, 8)
    yield "symbolic", (s, [A, B])
    A = te.placeholder((4, 5, 6), name="A")
    B = te.compute((4, 5, 6), lambda i, j, k: A[i, j, k] + 1.0, name="B")
    s = te.create_schedule(B.op)
    s[B].fuse(*B.op.axis)
    yield "three", (s, [A, B])
    s = te.create_schedule(B.op)
    s[B].fuse(B.op.axis[1], B.op.axis[2])
    yield "last_two", (s, [A, B])
    A = te.placeholder((), name="A")
    B = te.compute((), lambda: A() + 1.0, name="B")
    s = te.create_schedule(B.op)
    s[B].fuse()
    yield "none", (s, [A, B])


def reorder_and_tile():
    A, B = _matrix()
    s = te.create_schedule(B.op)
    s[B].reorder(B.op.axis[1], B.op.axis[0])
    yield "reorder", (s, [A, B])
    s = te.create_schedule(B.op)
    s[B].tile(B.op.axis[0], B.op.axis[1], 8, 16)
    yield "tile", (s, [A, B])
    A, B = _matrix(60, 50)
    s = te.create_schedule(B.op)
    s[B].tile(B.op.axis[0], B.op.axis[1], 8, 16)
    yield "tile_with_rest", (s, [A, B])
    n, m = te.var("n"), te.var("m")
    A, B = _matrix(n, m)
    s = te.create_schedule(B.op)
    s[B].tile(B.op.axis[0], B.op.axis[1], 8, 16)
    yield "tile_symbolic", (s, [A, B])
    A, B, C = _matmul()
    (k,) = C.op.reduce_axis
    s = te.create_schedule(C.op)
    i, j = C.op.axis
    s[C].reorder(k, i, j)
    yield "reduction_first", (s, [A, B, C])
    s = te.create_schedule(C.op)
    s[C].reorder(i, k, j)
    yield "reduction_second", (s, [A, B, C])
    s = te.create_schedule(C.op)
    xo, yo, xi, yi = s[C].tile(i, j, 8, 8)
    ko, ki = s[C].split(k, 4)
    s[C].reorder(xo, yo, ko, xi, ki, yi)
    yield "matmul_tiles", (s, [A, B, C])
    A, B, C = _matmul(30, 31, 33)
    (k,) = C.op.reduce_axis
    i, j = C.op.axis
    s = te.create_schedule(C.op)
    xo, yo, xi, yi = s[C].tile(i, j, 8, 8)
    ko, ki = s[C].split(k, 4)
    s[C].reorder(xo, yo, ko, xi, ki, yi)
    yield "matmul_tiles_with_rest", (s, [A, B, C])


def kinds():
    for kind in ("parallel", "vectorize", "unroll"):
        A, B = _matrix(16, 8)
        s = te.create_schedule(B.op)
        getattr(s[B], kind)(B.op.axis[0 if kind == "parallel" else 1])
        yield kind, (s, [A, B])
        A, B = _matrix(16, 60)
        s = te.create_schedule(B.op)
        o, i = s[B].split(B.op.axis[1], 8)
        getattr(s[B], kind)(i)
        yield f"{kind}_with_rest", (s, [A, B])
    A, B, C = _matmul()
    s = te.create_schedule(C.op)
    (k,) = C.op.reduce_axis
    i, j = C.op.axis
    xo, yo, xi, yi = s[C].tile(i, j, 8, 8)
    ko, ki = s[C].split(k, 4)
    s[C].reorder(xo, yo, ko, ki, xi, yi)
    s[C].vectorize(yi)
    s[C].unroll(xi)
    s[C].parallel(xo)
    yield "matmul", (s, [A, B, C])
    A, B, C = _matmul()
    s = te.create_schedule(C.op)
    s[C].parallel(s[C].fuse(*C.op.axis))
    yield "fused_parallel", (s, [A, B, C])


def pragmas():
    A, B = _matrix()
    s = te.create_schedule(B.op)
    s[B].pragma(B.op.axis[0], "auto_unroll_max_step", 16)
    yield "auto_unroll", (s, [A, B])
    s = te.create_schedule(B.op)
    s[B].pragma(B.op.axis[1], "vectorize")
    yield "vectorize", (s, [A, B])
    s = te.create_schedule(B.op)
    s[B].pragma(B.op.axis[0], "my_pragma")
    yield "own", (s, [A, B])
    s = te.create_schedule(B.op)
    s[B].prefetch(A, B.op.axis[0], 1)
    yield "prefetch", (s, [A, B])
    s = te.create_schedule(B.op)
    o, i = s[B].split(B.op.axis[0], 8)
    s[B].prefetch(A, o, 2)
    yield "prefetch_outer", (s, [A, B])


def threads():
    for m, n in ((64, 48), (60, 50), (te.var("m"), te.var("n"))):
        A, B = _matrix(m, n)
        s = te.create_schedule(B.op)
        xo, yo, xi, yi = s[B].tile(B.op.axis[0], B.op.axis[1], 8, 16)
        s[B].bind(xo, te.thread_axis("blockIdx.x"))
        s[B].bind(yo, te.thread_axis("blockIdx.y"))
        s[B].bind(xi, te.thread_axis("threadIdx.x"))
        s[B].bind(yi, te.thread_axis("threadIdx.y"))
        yield f"grid_{m}", (s, [A, B])
    A, B = _matrix()
    s = te.create_schedule(B.op)
    o, i = s[B].split(B.op.axis[0], nparts=2)
    s[B].bind(o, te.thread_axis("vthread"))
    s[B].bind(i, te.thread_axis("threadIdx.x"))
    yield "vthread", (s, [A, B])
    A, B = _matrix(3, 5)
    s = te.create_schedule(B.op)
    o, i = s[B].split(B.op.axis[1], 8)
    s[B].bind(i, te.thread_axis("threadIdx.x"))
    yield "factor_too_large", (s, [A, B])
    s = te.create_schedule(B.op)
    o, i = s[B].split(B.op.axis[1], 8)
    s[B].bind(i, te.thread_axis((0, 8), "threadIdx.x"))
    yield "thread_with_domain", (s, [A, B])


def predicates():
    A, B = _matrix()
    s = te.create_schedule(B.op)
    s[B].set_store_predicate(B.op.axis[0].var > 3)
    yield "store", (s, [A, B])
    A, B, C = _matmul()
    s = te.create_schedule(C.op)
    s[C].set_store_predicate(C.op.axis[0].var > 3)
    yield "store_of_reduction", (s, [A, B, C])
    for name, is_stored_everywhere in (("padded_reduction", True), ("store_of_padded_reduction", False)):
        A = te.placeholder((11, 8), name="A")
        k = te.reduce_axis((0, 8), "k")
        B = te.compute((11,), lambda i: te.sum(A[i, k], axis=k), name="B")
        C = te.compute((11,), lambda i: B[i] * 2.0, name="C")
        s = te.create_schedule(C.op)
        o, _ = s[C].split(C.op.axis[0], 4)
        s[B].compute_at(s[C], o)
        if not is_stored_everywhere:
            s[B].set_store_predicate(B.op.axis[0].var < 9)
        yield name, (s, [A, C])


def reductions():
    A = te.placeholder((16, 30), name="A")
    k = te.reduce_axis((0, 30), "k")
    B = te.compute((16,), lambda i: te.sum(A[i, k], axis=k, where=k > 2), name="B")
    yield "where", (te.create_schedule(B.op), [A, B])
    C = te.compute((16,), lambda i: te.max(A[i, k], axis=k, init=1.0), name="B")
    yield "init", (te.create_schedule(C.op), [A, C])
    s = te.create_schedule(B.op)
    s[B].split(k, 8)
    yield "split", (s, [A, B])
    s = te.create_schedule(B.op)
    s[B].split(k, 8)
    s[B].split(B.op.axis[0], 5)
    yield "split_both", (s, [A, B])
    r = te.reduce_axis((2, 30), "r")
    D = te.compute((16,), lambda i: te.sum(A[i, r], axis=r), name="D")
    yield "begins_at_two", (te.create_schedule(D.op), [A, D])
    s = te.create_schedule(D.op)
    s[D].split(r, 4)
    yield "begins_at_two_split", (s, [A, D])

    def fcombine(x, y):
        return tvm.tir.Select(x[1] >= y[1], x[0], y[0]), tvm.tir.Select(x[1] >= y[1], x[1], y[1])

    argmax = te.comm_reducer(fcombine, lambda t0, t1: (tvm.tir.const(-1, t0), te.min_value(t1)), name="argmax")
    q = te.reduce_axis((0, 30), "q")
    E0, E1 = te.compute((16,), lambda i: argmax((q.var, A[i, q]), axis=q), name="E")
    yield "argmax", (te.create_schedule(E0.op), [A, E0, E1])


def several_outputs():
    A = te.placeholder((8, 6), name="A")
    B, C = te.compute((8, 6), lambda i, j: (A[i, j] + 1.0, A[i, j] * 2.0), name="B")
    yield "plain", (te.create_schedule(B.op), [A, B, C])
    s = te.create_schedule(B.op)
    s[B].split(B.op.axis[0], 3)
    yield "split", (s, [A, B, C])
