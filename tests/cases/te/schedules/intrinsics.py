"""Tensor intrinsics: tensorize, and operations that call intrinsics."""


def _gemv(n, m, with_init=True):
    a = te.placeholder((m, n), name="a")
    b = te.placeholder((n,), name="b")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((m,), lambda i: te.sum(a[i, k] * b[k], axis=k), name="c")
    Ab = tvm.tir.decl_buffer(a.shape, a.dtype, name="A", offset_factor=1, strides=[te.var("s1"), 1])
    Bb = tvm.tir.decl_buffer(b.shape, b.dtype, name="B", offset_factor=1, strides=[1])
    Cb = tvm.tir.decl_buffer(c.shape, c.dtype, name="C", offset_factor=1, strides=[1])

    def function(ins, outs):
        aa, bb = ins
        cc = outs[0]

        def call(name):
            return tvm.tir.call_extern(
                "int32", name, cc.access_ptr("w"), aa.access_ptr("r"), bb.access_ptr("r"), m, n, aa.strides[0]
            )

        reset = tvm.tir.call_extern("int32", "gemv_reset", cc.access_ptr("w"), m)
        return call("gemv"), (reset if with_init else None), call("gemv_update")

    return te.decl_tensor_intrin(c.op, function, name="gemv", binds={a: Ab, b: Bb, c: Cb})


def _vadd(n):
    x = te.placeholder((n,), name="x")
    y = te.placeholder((n,), name="y")
    z = te.compute((n,), lambda i: x[i] + y[i], name="z")

    def function(ins, outs):
        return tvm.tir.call_packed("vadd", ins[0].data, ins[1].data, outs[0].data, ins[0].elem_offset, outs[0].elem_offset)

    return te.decl_tensor_intrin(z.op, function, name="vadd", default_buffer_params={"offset_factor": 1})


def _loads(n):
    x = te.placeholder((n,), name="x")
    z = te.compute((n,), lambda i: x[i] * 2.0, name="z")

    def function(ins, outs):
        i = te.var("v")
        return tvm.tir.For(i, 0, n, 0, tvm.tir.BufferStore(outs[0], ins[0][i] * 2.0, [i]))

    return te.decl_tensor_intrin(z.op, function, name="loads", default_buffer_params={"offset_factor": 1})


def tensorize():
    A = te.placeholder((64, 48), name="A")
    B = te.placeholder((64, 48), name="B")
    C = te.compute((64, 48), lambda i, j: A[i, j] + B[i, j], name="C")
    s = te.create_schedule(C.op)
    o, i = s[C].split(C.op.axis[1], 16)
    s[C].tensorize(i, _vadd(16))
    yield "vadd", (s, [A, B, C])
    s = te.create_schedule(C.op)
    s[C].tensorize(C.op.axis[1], _vadd(48))
    yield "vadd_row", (s, [A, B, C])
    D = te.compute((64, 48), lambda i, j: A[i, j] * 2.0, name="D")
    s = te.create_schedule(D.op)
    o, i = s[D].split(D.op.axis[1], 16)
    s[D].tensorize(i, _loads(16))
    yield "loads", (s, [A, D])
    E = te.compute((64, 48), lambda i, j: D[i, j] + 1.0, name="E")
    s = te.create_schedule(E.op)
    s[D].compute_at(s[E], E.op.axis[0])
    o, i = s[D].split(D.op.axis[1], 16)
    s[D].tensorize(i, _loads(16))
    yield "loads_of_a_stage", (s, [A, E])
    s = te.create_schedule(C.op)
    o, i = s[C].split(C.op.axis[1], 16)
    s[C].tensorize(i, _vadd(8))
    yield "wrong_extent", (s, [A, B, C])
    F = te.compute((64, 48), lambda i, j: A[i, j] * B[i, j], name="F")
    s = te.create_schedule(F.op)
    o, i = s[F].split(F.op.axis[1], 16)
    s[F].tensorize(i, _vadd(16))
    yield "wrong_body", (s, [A, B, F])


def tensorize_reductions():
    A = te.placeholder((64, 32), name="A")
    B = te.placeholder((48, 32), name="B")
    k = te.reduce_axis((0, 32), name="k")
    C = te.compute((64, 48), lambda i, j: te.sum(B[j, k] * A[i, k], axis=k), name="C")
    s = te.create_schedule(C.op)
    yo, yi = s[C].split(C.op.axis[1], 16)
    s[C].tensorize(yi, _gemv(32, 16))
    yield "whole", (s, [A, B, C])
    for with_init in (True, False):
        s = te.create_schedule(C.op)
        yo, yi = s[C].split(C.op.axis[1], 16)
        ko, ki = s[C].split(k, 8)
        s[C].reorder(ko, yi, ki)
        s[C].tensorize(yi, _gemv(8, 16, with_init))
        yield f"split_{'init' if with_init else 'body_first'}", (s, [A, B, C])


def tensor_compute():
    vadd = _vadd(16)
    A = te.placeholder((8, 16), name="A")
    B = te.placeholder((8, 16), name="B")
    C = te.compute((8, 16), lambda i: vadd(A[i, 0:16], B[i, 0:16]), name="C")
    yield "rows", (te.create_schedule(C.op), [A, B, C])
    s = te.create_schedule(C.op)
    s[C].split(C.op.axis[0], 4)
    yield "rows_split", (s, [A, B, C])
    D = te.compute((8, 16), lambda i, j: C[i, j] * 2.0, name="D")
    s = te.create_schedule(D.op)
    s[C].compute_at(s[D], D.op.axis[0])
    yield "row_at", (s, [A, B, D])


def threads_of_environment():
    m, n = 16, 64
    X = te.placeholder((m, n), name="X")
    state = te.placeholder((m, n), name="state")
    init = te.compute((1, n), lambda _, i: X[0, i], name="init")
    update = te.compute((m, n), lambda t, i: state[t - 1, i] + X[t, i], name="update")
    S = te.scan(init, update, state, inputs=[X], name="scan")
    s = te.create_schedule(S.op)
    block, thread = te.thread_axis((0, 4), "blockIdx.x"), te.thread_axis((0, 16), "threadIdx.x")
    s[S].env_threads([block, thread])
    for stage in (init, update):
        xo, xi = s[stage].split(stage.op.axis[1], 16)
        s[stage].bind(xo, block)
        s[stage].bind(xi, thread)
    yield "scan", (s, [X, S])


def intrinsics_of_stages():
    vadd = _vadd(16)
    A = te.placeholder((8, 16), name="A")
    B = te.compute((8, 16), lambda i, j: A[i, j] * 2.0, name="B")
    C = te.compute((8, 16), lambda i: vadd(A[i, 0:16], B[i, 0:16]), name="C")
    yield "root", (te.create_schedule(C.op), [A, C])
    s = te.create_schedule(C.op)
    s[B].compute_at(s[C], C.op.axis[0])
    yield "at", (s, [A, C])
