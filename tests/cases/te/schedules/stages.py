"""Several stages: where they are computed, caches, factored reductions."""

#: where the text differs from TVM's
DIFFERENT = {
    "scopes.double_buffer": "TVM fails, for want of the buffer of the stage",
    "rfactor.symbolic": "terms of a product with a symbolic quotient are in another order",
    "rolling.stencil": "TVM prints a buffer without its memory",
    "reads_of_parts.minimum_at": "TVM allocates outside of the loop whose variable is in the extent",
    **{f"inlined_by_kind.{name}_Broadcast": "TVM inlines nothing" for name in ("elementwise", "broadcast")},
    "threads_of_stages.allreduce_with_rest": "TVM stores results behind the last one",
    "threads_of_stages.allreduce_where": "TVM stores a result where the condition holds for a variable without a value",
    "threads.compute_at_local": "threads read what depends on them before they begin: refused",
}


def _chain(m=64, n=48):
    A = te.placeholder((m, n), name="A")
    B = te.compute((m, n), lambda i, j: A[i, j] + 1.0, name="B")
    C = te.compute((m, n), lambda i, j: B[i, j] * 2.0, name="C")
    return A, B, C


def _stencil(n=60):
    A = te.placeholder((n + 4,), name="A")
    B = te.compute((n + 2,), lambda i: A[i] + A[i + 2], name="B")
    C = te.compute((n,), lambda i: B[i] + B[i + 1] + B[i + 2], name="C")
    return A, B, C


def _matmul(m=32, n=32, l=32):
    A = te.placeholder((m, l), name="A")
    B = te.placeholder((l, n), name="B")
    k = te.reduce_axis((0, l), name="k")
    C = te.compute((m, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    return A, B, C


def root():
    A, B, C = _chain()
    yield "two", (te.create_schedule(C.op), [A, B, C])
    yield "inner_is_no_argument", (te.create_schedule(C.op), [A, C])
    yield "two_outputs", (te.create_schedule([B.op, C.op]), [A, B, C])
    A, B, C = _stencil()
    yield "stencil", (te.create_schedule(C.op), [A, C])


def inline():
    A, B, C = _chain()
    s = te.create_schedule(C.op)
    s[B].compute_inline()
    yield "one", (s, [A, C])
    D = te.compute((64, 48), lambda i, j: C[i, j] - 1.0, name="D")
    s = te.create_schedule(D.op)
    s[B].compute_inline()
    s[C].compute_inline()
    yield "two", (s, [A, D])
    k = te.reduce_axis((0, 48), "k")
    E = te.compute((64,), lambda i: te.sum(B[i, k], axis=k), name="E")
    s = te.create_schedule(E.op)
    s[B].compute_inline()
    yield "into_reduction", (s, [A, E])
    F = te.compute((48, 64), lambda i, j: B[j, i] + B[63 - j, i], name="F")
    s = te.create_schedule(F.op)
    s[B].compute_inline()
    yield "twice_used", (s, [A, F])
    s = te.create_schedule(D.op)
    te.schedule.AutoInlineElemWise(s)
    yield "elementwise", (s, [A, D])
    s = te.create_schedule(C.op)
    s[B].compute_inline()
    s[B].compute_root()
    yield "and_root", (s, [A, C])


def compute_at():
    A, B, C = _chain()
    for axis in (0, 1):
        s = te.create_schedule(C.op)
        s[B].compute_at(s[C], C.op.axis[axis])
        yield f"axis_{axis}", (s, [A, C])
    for factor in (8, 7):
        s = te.create_schedule(C.op)
        o, i = s[C].split(C.op.axis[0], factor)
        s[B].compute_at(s[C], o)
        yield f"outer_{factor}", (s, [A, C])
        s = te.create_schedule(C.op)
        xo, yo, xi, yi = s[C].tile(C.op.axis[0], C.op.axis[1], factor, factor)
        s[B].compute_at(s[C], yo)
        yield f"tile_{factor}", (s, [A, C])
        s[B].vectorize(B.op.axis[1])
        yield f"tile_vectorized_{factor}", (s, [A, C])
    A, B, C = _stencil()
    for factor in (4, 7):
        s = te.create_schedule(C.op)
        o, i = s[C].split(C.op.axis[0], factor)
        s[B].compute_at(s[C], o)
        yield f"stencil_{factor}", (s, [A, C])
        s[B].split(B.op.axis[0], 2)
        yield f"stencil_split_{factor}", (s, [A, C])
    A, B, C = _stencil(te.var("n"))
    s = te.create_schedule(C.op)
    o, i = s[C].split(C.op.axis[0], 4)
    s[B].compute_at(s[C], o)
    yield "stencil_symbolic", (s, [A, C])
    A, B, C = _chain()
    s = te.create_schedule(C.op)
    f = s[C].fuse(*C.op.axis)
    s[B].compute_at(s[C], f)
    yield "fused", (s, [A, C])
    s = te.create_schedule(C.op)
    f = s[C].fuse(*C.op.axis)
    o, i = s[C].split(f, 16)
    s[B].compute_at(s[C], o)
    yield "fused_split", (s, [A, C])
    D = te.compute((64, 48), lambda i, j: C[i, j] + B[i, j], name="D")
    s = te.create_schedule(D.op)
    s[C].compute_at(s[D], D.op.axis[0])
    s[B].compute_at(s[D], D.op.axis[0])
    yield "two_consumers", (s, [A, D])
    s = te.create_schedule(D.op)
    s[C].compute_at(s[D], D.op.axis[0])
    s[B].compute_at(s[C], C.op.axis[1])
    yield "nested_elsewhere", (s, [A, D])
    A, B, C = _matmul()
    E = te.compute((32, 32), lambda i, j: C[i, j] + 1.0, name="E")
    s = te.create_schedule(E.op)
    xo, yo, xi, yi = s[E].tile(E.op.axis[0], E.op.axis[1], 8, 8)
    s[C].compute_at(s[E], yo)
    yield "matmul", (s, [A, B, E])
    ko, ki = s[C].split(C.op.reduce_axis[0], 4)
    s[C].reorder(ko, *C.op.axis, ki)
    yield "matmul_reordered", (s, [A, B, E])


def scopes():
    A, B, C = _chain()
    s = te.create_schedule(C.op)
    s[B].set_scope("local")
    s[B].compute_at(s[C], C.op.axis[0])
    yield "local", (s, [A, C])
    s = te.create_schedule(C.op)
    s[B].compute_at(s[C], C.op.axis[0])
    s[B].storage_align(B.op.axis[0], 32, 1)
    yield "align", (s, [A, C])
    s = te.create_schedule(C.op)
    o, i = s[C].split(C.op.axis[0], 8)
    s[B].compute_at(s[C], o)
    s[B].storage_align(B.op.axis[0], 64, 8)
    yield "align_tile", (s, [A, C])
    s = te.create_schedule(C.op)
    s[B].compute_at(s[C], C.op.axis[0])
    s[B].double_buffer()
    yield "double_buffer", (s, [A, C])


def cache_read():
    A, B, C = _chain()
    s = te.create_schedule(C.op)
    AA = s.cache_read(A, "local", [B])
    yield "root", (s, [A, B, C])
    s[AA].compute_at(s[B], B.op.axis[0])
    yield "at", (s, [A, B, C])
    s = te.create_schedule(C.op)
    BB = s.cache_read(B, "shared", [C])
    s[BB].compute_at(s[C], C.op.axis[0])
    yield "of_compute", (s, [A, B, C])
    A, B, C = _matmul()
    s = te.create_schedule(C.op)
    AA = s.cache_read(A, "global", [C])
    BB = s.cache_read(B, "global", [C])
    xo, yo, xi, yi = s[C].tile(C.op.axis[0], C.op.axis[1], 8, 8)
    ko, ki = s[C].split(C.op.reduce_axis[0], 4)
    s[C].reorder(xo, yo, ko, ki, xi, yi)
    s[AA].compute_at(s[C], ko)
    s[BB].compute_at(s[C], ko)
    yield "matmul", (s, [A, B, C])
    A, B, C = _matmul(30, 30, 30)
    s = te.create_schedule(C.op)
    AA = s.cache_read(A, "global", [C])
    xo, yo, xi, yi = s[C].tile(C.op.axis[0], C.op.axis[1], 8, 8)
    ko, ki = s[C].split(C.op.reduce_axis[0], 4)
    s[C].reorder(xo, yo, ko, ki, xi, yi)
    s[AA].compute_at(s[C], ko)
    yield "matmul_with_rest", (s, [A, B, C])


def cache_write():
    A, B, C = _chain()
    s = te.create_schedule(C.op)
    CC = s.cache_write(C, "local")
    yield "root", (s, [A, C])
    s = te.create_schedule(C.op)
    CC = s.cache_write(C, "local")
    s[CC].compute_at(s[C], s[C].op.axis[0])
    yield "at", (s, [A, C])
    A, B, C = _matmul()
    s = te.create_schedule(C.op)
    CC = s.cache_write(C, "global")
    xo, yo, xi, yi = s[C].tile(C.op.axis[0], C.op.axis[1], 8, 8)
    s[CC].compute_at(s[C], yo)
    xc, yc = s[CC].op.axis
    (k,) = s[CC].op.reduce_axis
    ko, ki = s[CC].split(k, factor=4)
    s[CC].reorder(ko, xc, ki, yc)
    s[CC].unroll(ki)
    s[CC].vectorize(yc)
    yield "matmul", (s, [A, B, C])
    s = te.create_schedule(C.op)
    i, j = C.op.axis
    s[C].split(j, 8)
    s[C].reorder(j if False else s[C].leaf_iter_vars[1], i)
    CC = s.cache_write(C, "global")
    yield "relayout", (s, [A, B, C])


def rfactor():
    A = te.placeholder((16, 64), name="A")
    k = te.reduce_axis((0, 64), "k")
    B = te.compute((16,), lambda i: te.sum(A[i, k], axis=k), name="B")
    s = te.create_schedule(B.op)
    ko, ki = s[B].split(k, 8)
    BF = s.rfactor(B, ki)
    yield "inner", (s, [A, B])
    s = te.create_schedule(B.op)
    ko, ki = s[B].split(k, 8)
    BF = s.rfactor(B, ko)
    yield "outer", (s, [A, B])
    s = te.create_schedule(B.op)
    ko, ki = s[B].split(k, 7)
    BF = s.rfactor(B, ki)
    yield "with_rest", (s, [A, B])
    s = te.create_schedule(B.op)
    ko, ki = s[B].split(k, 8)
    BF = s.rfactor(B, ki, 1)
    s[BF].compute_at(s[B], s[B].op.axis[0])
    yield "last_axis_at", (s, [A, B])
    n = te.var("n")
    A = te.placeholder((n,), name="A")
    r = te.reduce_axis((0, n), "r")
    C = te.compute((1,), lambda i: te.sum(A[r], axis=r), name="C")
    s = te.create_schedule(C.op)
    ro, ri = s[C].split(r, nparts=16)
    CF = s.rfactor(C, ro)
    s[CF].parallel(s[CF].op.axis[0])
    yield "symbolic", (s, [A, C])


def threads():
    A = te.placeholder((4, 128), name="A")
    B = te.compute((4, 128), lambda i, j: A[i, j] + 1.0, name="B")
    C = te.compute((4, 128), lambda i, j: B[i, j] * 2.0, name="C")
    for scope in ("shared", "local", "global"):
        s = te.create_schedule(C.op)
        s[B].set_scope(scope)
        bx, tx = s[C].split(C.op.axis[1], 32)
        s[C].bind(C.op.axis[0], te.thread_axis("blockIdx.x"))
        s[C].bind(tx, te.thread_axis("threadIdx.x"))
        s[B].compute_at(s[C], C.op.axis[0])
        yield f"compute_at_{scope}", (s, [A, C])
        s[B].bind(s[B].split(B.op.axis[1], 32)[1], te.thread_axis("threadIdx.x"))
        if scope == "shared":
            yield f"cooperative_{scope}", (s, [A, C])
    k = te.reduce_axis((0, 128), "k")
    D = te.compute((4,), lambda i: te.sum(A[i, k], axis=k), name="D")
    s = te.create_schedule(D.op)
    s[D].bind(D.op.axis[0], te.thread_axis("blockIdx.x"))
    s[D].bind(k, te.thread_axis("threadIdx.x"))
    yield "allreduce", (s, [A, D])
    s = te.create_schedule(D.op)
    ko, ki = s[D].split(k, 32)
    s[D].bind(D.op.axis[0], te.thread_axis("blockIdx.x"))
    s[D].bind(ki, te.thread_axis("threadIdx.x"))
    yield "allreduce_with_loop", (s, [A, D])
    s = te.create_schedule(D.op)
    ko, ki = s[D].split(k, 32)
    DF = s.rfactor(D, ki)
    tx = te.thread_axis("threadIdx.x")
    s[D].bind(s[D].op.axis[0], te.thread_axis("blockIdx.x"))
    s[D].bind(s[D].op.reduce_axis[0], tx)
    s[DF].compute_at(s[D], s[D].op.reduce_axis[0])
    s[D].set_store_predicate(tx.var.equal(0))
    yield "rfactor_allreduce", (s, [A, D])


def scans():
    m, n = te.var("m"), te.var("n")
    X = te.placeholder((m, n), name="X")
    state = te.placeholder((m, n), name="state")
    init = te.compute((1, n), lambda _, i: X[0, i], name="init")
    update = te.compute((m, n), lambda t, i: state[t - 1, i] + X[t, i], name="update")
    S = te.scan(init, update, state, inputs=[X], name="scan")
    yield "cumsum", (te.create_schedule(S.op), [X, S])
    s = te.create_schedule(S.op)
    s[update].split(update.op.axis[1], 8)
    yield "cumsum_split", (s, [X, S])
    Y = te.compute((m, n), lambda t, i: S[t, i] + 1.0, name="Y")
    yield "used", (te.create_schedule(Y.op), [X, Y])
    s1 = te.compute((m, n), lambda t, i: state[t - 1, i] * 2.0, name="s1")
    s2 = te.compute((m, n), lambda t, i: s1[t, i] + X[t, i], name="s2")
    S2 = te.scan(init, s2, state, inputs=[X], name="scan")
    yield "two_steps", (te.create_schedule(S2.op), [X, S2])


def externs():
    A = te.placeholder((16,), name="A")
    B = te.compute((16,), lambda i: A[i] + 1.0, name="B")
    C = te.extern((16,), [B], lambda ins, outs: tvm.tir.call_packed("my.f", ins[0], outs[0]), name="C")
    D = te.compute((16,), lambda i: C[i] * 2.0, name="D")
    yield "last", (te.create_schedule(C.op), [A, C])
    yield "between", (te.create_schedule(D.op), [A, D])


def layouts():
    A, B, C = _chain(32, 32)
    s = te.create_schedule(C.op)
    s[B].transform_layout(lambda i, j: [j, i])
    yield "transpose", (s, [A, C])
    s = te.create_schedule(C.op)
    s[C].transform_layout(lambda i, j: [i // 4, j, i % 4])
    yield "tiles_of_output", (s, [A, C])
    s = te.create_schedule(C.op)
    s[B].transform_layout(lambda i, j: [i // 4, te.AXIS_SEPARATOR, j, i % 4])
    yield "separated", (s, [A, C])
    s = te.create_schedule(C.op)
    s[C].transform_layout(lambda i, j: [j, te.AXIS_SEPARATOR, i])
    yield "separated_output", (s, [A, C])
    s = te.create_schedule(C.op)
    axes = s[B].transform_layout(lambda i, j: [j, i])
    s[B].split(axes[1], 8)
    yield "transpose_split", (s, [A, C])


def rolling():
    A, B, C = _stencil()
    s = te.create_schedule(C.op)
    o, i = s[C].split(C.op.axis[0], 4)
    s[B].compute_at(s[C], o)
    s[B].rolling_buffer()
    yield "stencil", (s, [A, C])


def graphs():
    A = te.placeholder((32, 32), name="A")
    k = te.reduce_axis((0, 32), name="k")
    top = te.compute((32,), lambda i: te.max(A[i, k], axis=k), name="top")
    e = te.compute((32, 32), lambda i, j: te.exp(A[i, j] - top[i]), name="e")
    q = te.reduce_axis((0, 32), name="q")
    total = te.compute((32,), lambda i: te.sum(e[i, q], axis=q), name="total")
    out = te.compute((32, 32), lambda i, j: e[i, j] / total[i], name="out")
    yield "softmax", (te.create_schedule(out.op), [A, out])
    s = te.create_schedule(out.op)
    for stage in (top, e, total):
        s[stage].compute_at(s[out], out.op.axis[0])
    s[out].parallel(out.op.axis[0])
    yield "softmax_rows", (s, [A, out])
    s = te.create_schedule(out.op)
    s[e].compute_inline()
    s[out].parallel(out.op.axis[0])
    yield "softmax_inline", (s, [A, out])
    X = te.placeholder((1, 4, 18, 18), name="X")
    W = te.placeholder((8, 4, 3, 3), name="W")
    c, y, x = (te.reduce_axis((0, n), name=m) for n, m in ((4, "c"), (3, "y"), (3, "x")))
    conv = te.compute(
        (1, 8, 16, 16),
        lambda n, f, i, j: te.sum(X[n, c, i + y, j + x] * W[f, c, y, x], axis=[c, y, x]),
        name="conv",
    )
    relu = te.compute(conv.shape, lambda *i: tvm.tir.max(conv(*i), 0.0), name="relu")
    yield "conv", (te.create_schedule(relu.op), [X, W, relu])
    s = te.create_schedule(relu.op)
    n, f, i, j = relu.op.axis
    jo, ji = s[relu].split(j, 4)
    s[conv].compute_at(s[relu], jo)
    s[conv].vectorize(conv.op.axis[3])
    s[relu].parallel(f)
    yield "conv_tiles", (s, [X, W, relu])
    padded = te.compute(
        (1, 4, 18, 18),
        lambda n, c, i, j: te.if_then_else(te.all(i >= 1, i < 17, j >= 1, j < 17), X[n, c, i - 1, j - 1], 0.0),
        name="padded",
    )
    conv = te.compute(
        (1, 8, 16, 16),
        lambda n, f, i, j: te.sum(padded[n, c, i + y, j + x] * W[f, c, y, x], axis=[c, y, x]),
        name="conv",
    )
    s = te.create_schedule(conv.op)
    s[padded].compute_inline()
    yield "conv_padded_inline", (s, [X, W, conv])
    s = te.create_schedule(conv.op)
    s[padded].compute_at(s[conv], conv.op.axis[2])
    yield "conv_padded_rows", (s, [X, W, conv])
    s = te.create_schedule(conv.op)
    WW = s.cache_read(W, "shared", [conv])
    CL = s.cache_write(conv, "local")
    b, f, i, j = s[conv].op.axis
    s[conv].bind(f, te.thread_axis("blockIdx.x"))
    s[conv].bind(i, te.thread_axis("threadIdx.y"))
    s[conv].bind(j, te.thread_axis("threadIdx.x"))
    s[CL].compute_at(s[conv], j)
    s[WW].compute_at(s[conv], f)
    s[padded].compute_inline()
    yield "conv_threads", (s, [X, W, conv])


def reads_of_parts():
    A = te.placeholder((64,), name="A")
    B = te.compute((64,), lambda i: A[i] + 1.0, name="B")
    forms = {
        "stride": ((16,), lambda i: B[i * 4]),
        "reversed": ((16,), lambda i: B[15 - i]),
        "window": ((16,), lambda i: B[i] + B[i + 8] + B[i + 16]),
        "division": ((64,), lambda i: B[i // 4]),
        "remainder": ((64,), lambda i: B[i % 8]),
        "constant": ((16,), lambda i: B[3]),
        "minimum": ((64,), lambda i: B[tvm.tir.min(i + 2, 63)]),
        "selected": ((64,), lambda i: te.if_then_else(i < 60, B[i + 4], B[i])),
    }
    for name, (shape, form) in forms.items():
        C = te.compute(shape, form, name="C")
        yield name, (te.create_schedule(C.op), [A, C])
        s = te.create_schedule(C.op)
        o, i = s[C].split(C.op.axis[0], 4)
        s[B].compute_at(s[C], o)
        yield f"{name}_at", (s, [A, C])


def inlined_by_kind():
    A = te.placeholder((8,), name="A")
    B = te.placeholder((8, 6), name="B")
    k = te.reduce_axis((0, 6), "k")
    stages = {
        "elementwise": lambda: te.compute((8, 6), lambda i, j: B[i, j] + 1.0, name="C"),
        "broadcast": lambda: te.compute((8, 6), lambda i, j: A[i] + B[i, j], name="C"),
        "transposed": lambda: te.compute((6, 8), lambda i, j: B[j, i], name="C"),
        "diagonal": lambda: te.compute((6, 6), lambda i, j: B[i, i] + A[j], name="C"),
        "shifted": lambda: te.compute((7, 6), lambda i, j: B[i + 1, j], name="C"),
        "shifted_row": lambda: te.compute((7,), lambda i: A[i + 1], name="C"),
        "element": lambda: te.compute((8,), lambda i: A[3], name="C"),
        "reduction": lambda: te.compute((8, 6), lambda i, j: te.sum(B[i, k], axis=k), name="C"),
    }
    for name, stage in stages.items():
        for kind in ("ElemWise", "Broadcast", "Injective"):
            C = stage()
            D = te.compute(C.shape, lambda *i: C(*i) * 2.0, name="D")
            s = te.create_schedule(D.op)
            getattr(te.schedule, f"AutoInline{kind}")(s)
            yield f"{name}_{kind}", (s, [A, B, D])


def threads_of_stages():
    A = te.placeholder((4, 32), name="A")
    B = te.compute((4, 32), lambda i, j: A[i, j] + 1.0, name="B")
    C = te.compute((4, 32), lambda i, j: B[i, j] * 2.0, name="C")
    for scope, thread in (("warp", "threadIdx.x"), ("local", "threadIdx.x"), ("shared", "blockIdx.x"), ("shared", "threadIdx.y")):
        s = te.create_schedule(C.op)
        axis = te.thread_axis(thread)
        s[C].bind(C.op.axis[1], axis)
        s[B].set_scope(scope)
        s[B].compute_at(s[C], C.op.axis[0])
        s[B].bind(B.op.axis[1], axis)
        yield f"{scope}_{thread[:-2]}_{thread[-1]}", (s, [A, C])
    s = te.create_schedule(C.op)
    s[C].bind(C.op.axis[1], te.thread_axis("threadIdx.x"))
    s[B].compute_at(s[C], C.op.axis[1])
    s[B].bind(B.op.axis[0], te.thread_axis("threadIdx.y"))
    yield "thread_of_one", (s, [A, C])
    k = te.reduce_axis((0, 30), "k")
    for name, where in (("with_rest", None), ("where", k < 20)):
        D = te.compute((4,), lambda i: te.sum(A[i, k], axis=k, where=where), name="D")
        s = te.create_schedule(D.op)
        s[D].bind(s[D].split(D.op.axis[0], 3)[0], te.thread_axis("blockIdx.x"))
        s[D].bind(s[D].split(k, 8)[1], te.thread_axis("threadIdx.x"))
        yield f"allreduce_{name}", (s, [A, D])
    s = te.create_schedule(D.op)
    s[D].split(D.op.axis[0], 3)
    s.cache_write(D, "local")
    yield "cache_write_with_rest", (s, [A, D])
