"""Legacy TE schedules lowered by `tvm.lower`: Allocate, For, AttrStmt, and ProducerRealize before storage flattening."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import tvm
from store import Recorder, Store
from tvm import te, tir, topi

Case = tuple[str, Callable[[], tuple[Any, list[Any]]]]


def matmul(n: Any = 128, dtype: str = "float32") -> tuple[Any, Any, Any, Any]:
    """A, B, C and the reduction axis."""
    a, b = te.placeholder((n, n), dtype, name="A"), te.placeholder((n, n), dtype, name="B")
    k = te.reduce_axis((0, n), "k")
    return a, b, te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C"), k


def cpu() -> Iterator[Case]:
    def plain() -> Any:
        a, b, c, _ = matmul()
        return te.create_schedule(c.op), [a, b, c]

    def tiled() -> Any:
        a, b, c, k = matmul()
        s = te.create_schedule(c.op)
        xo, yo, xi, yi = s[c].tile(c.op.axis[0], c.op.axis[1], 32, 32)
        ko, ki = s[c].split(k, 4)
        s[c].reorder(xo, yo, ko, xi, ki, yi)
        s[c].vectorize(yi)
        s[c].parallel(xo)
        s[c].unroll(ki)
        return s, [a, b, c]

    def cached() -> Any:
        a, b, c, _k = matmul()
        s = te.create_schedule(c.op)
        cc = s.cache_write(c, "global")
        packed = s.cache_read(b, "global", [cc])
        xo, _, xi, _ = s[c].tile(c.op.axis[0], c.op.axis[1], 32, 32)
        s[cc].compute_at(s[c], xo)
        s[packed].compute_at(s[cc], s[cc].op.reduce_axis[0])
        s[c].pragma(xi, "auto_unroll_max_step", 16)
        s[packed].double_buffer()
        return s, [a, b, c]

    def dynamic() -> Any:
        n = te.var("n")
        a, b, c, _k = matmul(n)
        s = te.create_schedule(c.op)
        xo, _xi = s[c].split(c.op.axis[0], 32)
        s[c].vectorize(s[c].split(c.op.axis[1], 8)[1])
        s[c].parallel(xo)
        return s, [a, b, c]

    def rfactor() -> Any:
        n = te.var("n")
        a = te.placeholder((n,), name="A")
        k = te.reduce_axis((0, n), "k")
        b = te.compute((1,), lambda i: te.sum(a[k], axis=k), name="B")
        s = te.create_schedule(b.op)
        _, ki = s[b].split(k, 16)
        s.rfactor(b, ki)
        return s, [a, b]

    def prefetch() -> Any:
        a = te.placeholder((64, 64), name="A")
        b = te.compute((64, 64), lambda i, j: a[i, j] + 1.0, name="B")
        s = te.create_schedule(b.op)
        s[b].prefetch(a, b.op.axis[0], 1)
        return s, [a, b]

    def inlined() -> Any:
        a = te.placeholder((1, 8, 14, 14), name="A")
        w = te.placeholder((16, 8, 3, 3), name="W")
        c = topi.nn.conv2d_nchw(a, w, 1, 1, 1)
        d = topi.nn.relu(c)
        s = te.create_schedule(d.op)
        for stage in s.stages:
            if "pad" in stage.op.name:
                s[stage.op].compute_inline()
        s[c].compute_at(s[d], d.op.axis[1])
        return s, [a, w, d]

    def scan() -> Any:
        m, n = te.var("m"), te.var("n")
        x = te.placeholder((m, n), name="X")
        state = te.placeholder((m, n))
        init = te.compute((1, n), lambda _, i: x[0, i])
        update = te.compute((m, n), lambda t, i: state[t - 1, i] + x[t, i])
        result = te.scan(init, update, state, inputs=[x])
        return te.create_schedule(result.op), [x, result]

    def extern() -> Any:
        a, b, _, _ = matmul()
        c = te.extern(
            (128, 128), [a, b], lambda i, o: tir.call_packed("cblas.matmul", i[0], i[1], o[0], False), name="C"
        )
        return te.create_schedule(c.op), [a, b, c]

    def tensorized() -> Any:
        a, b, c, k = matmul(64)
        x, y = te.placeholder((16,), name="x"), te.placeholder((16,), name="y")
        q = te.reduce_axis((0, 16), "q")
        z = te.compute((1,), lambda i: te.sum(x[q] * y[q], axis=q), name="z")
        strided = tir.decl_buffer((16,), "float32", name="y", strides=[te.var("s")], offset_factor=1)
        xb = tir.decl_buffer((16,), "float32", name="x", offset_factor=1, strides=[1])
        zb = tir.decl_buffer((1,), "float32", name="z", offset_factor=1, strides=[1])

        def intrin(ins: Any, outs: Any) -> Any:
            def body() -> Any:
                return tir.call_extern("int32", "dot", outs[0].access_ptr("w"), ins[0].access_ptr("r"), ins[1].access_ptr("r"),
                                       ins[1].strides[0])  # fmt: skip

            return (
                tir.Evaluate(body()),
                tir.Evaluate(tir.call_extern("int32", "zero", outs[0].access_ptr("w"))),
                tir.Evaluate(body()),
            )

        s = te.create_schedule(c.op)
        _, ki = s[c].split(k, 16)
        s[c].tensorize(ki, te.decl_tensor_intrin(z.op, intrin, binds={x: xb, y: strided, z: zb}))
        return s, [a, b, c]

    def argmax() -> Any:
        a = te.placeholder((16, 64), name="A")
        b = topi.argmax(a, axis=1)
        return te.create_schedule(b.op), [a, b]

    def sorting() -> Any:
        a = te.placeholder((4, 16), name="A")
        b = topi.argsort(a, axis=1)
        return te.create_schedule(b.op), [a, b]

    def softmax() -> Any:
        a = te.placeholder((4, 16), "float16", name="A")
        b = topi.nn.softmax(a)
        return te.create_schedule(b.op), [a, b]

    def storage() -> Any:
        a, b, c, _k = matmul()
        s = te.create_schedule(c.op)
        aa = s.cache_read(a, "global", [c])
        s[aa].compute_at(s[c], c.op.axis[0])
        s[aa].storage_align(aa.op.axis[0], 16, 4)
        s[aa].set_store_predicate(aa.op.axis[1] > 3)
        return s, [a, b, c]

    def hybrid() -> Any:
        @te.hybrid.script
        def outer_product(a, b):  # type: ignore[no-untyped-def]
            c = output_tensor((100, 99), "float32")  # type: ignore[name-defined]  # noqa: F821
            for i in range(a.shape[0]):
                for j in range(b.shape[0]):
                    c[i, j] = a[i] * b[j]
            return c

        a, b = te.placeholder((100,), name="a"), te.placeholder((99,), name="b")
        c = outer_product(a, b)
        return te.create_schedule(c.op), [a, b, c]

    for make in (plain, tiled, cached, dynamic, rfactor, prefetch, inlined, scan, extern, tensorized, argmax, sorting,
                 softmax, storage, hybrid):  # fmt: skip
        yield make.__name__, make


def gpu() -> Iterator[Case]:
    def axis(tag: str, extent: Any = None) -> Any:
        return te.thread_axis(tag) if extent is None else te.thread_axis((0, extent), tag)

    def elementwise() -> Any:
        n = te.var("n")
        a, b = te.placeholder((n,), name="A"), te.placeholder((n,), name="B")
        c = te.compute((n,), lambda i: a[i] + b[i], name="C")
        s = te.create_schedule(c.op)
        bx, tx = s[c].split(c.op.axis[0], 64)
        s[c].bind(bx, axis("blockIdx.x"))
        s[c].bind(tx, axis("threadIdx.x"))
        return s, [a, b, c]

    def shared() -> Any:
        a, b, c, _k = matmul(256)
        s = te.create_schedule(c.op)
        aa, bb = s.cache_read(a, "shared", [c]), s.cache_read(b, "shared", [c])
        local = s.cache_write(c, "local")
        by, bx, yi, xi = s[c].tile(c.op.axis[0], c.op.axis[1], 64, 64)
        vy, yi = s[c].split(yi, nparts=2)
        ty, yi = s[c].split(yi, nparts=8)
        tx, xi = s[c].split(xi, nparts=8)
        s[c].reorder(by, bx, vy, ty, tx, yi, xi)
        for loop, thread in ((by, axis("blockIdx.y")), (bx, axis("blockIdx.x")), (vy, axis("vthread", 2)),
                             (ty, axis("threadIdx.y", 8)), (tx, axis("threadIdx.x", 8))):  # fmt: skip
            s[c].bind(loop, thread)
        s[local].compute_at(s[c], tx)
        ko, _ = s[local].split(s[local].op.reduce_axis[0], 8)
        for cache in (aa, bb):
            s[cache].compute_at(s[local], ko)
            y, x = s[cache].op.axis
            s[cache].bind(s[cache].split(y, nparts=8)[0], axis("threadIdx.y", 8))
            s[cache].bind(s[cache].split(x, nparts=8)[0], axis("threadIdx.x", 8))
            s[cache].double_buffer()
        return s, [a, b, c]

    def cross_thread() -> Any:
        a = te.placeholder((128, 1024), name="A")
        k = te.reduce_axis((0, 1024), "k")
        b = te.compute((128,), lambda i: te.sum(a[i, k], axis=k), name="B")
        s = te.create_schedule(b.op)
        _, ki = s[b].split(s[b].op.reduce_axis[0], 32)
        partial = s.rfactor(b, ki)
        s[b].bind(s[b].op.axis[0], axis("blockIdx.x"))
        tx = axis("threadIdx.x")
        s[b].bind(s[b].op.reduce_axis[0], tx)
        s[partial].compute_at(s[b], s[b].op.reduce_axis[0])
        s[b].set_store_predicate(tx.var.equal(0))
        return s, [a, b]

    def warp() -> Any:
        a = te.placeholder((32, 32), name="A")
        b = te.compute((32, 32), lambda i, j: a[i, (j + 1) % 32] + 1.0, name="B")
        s = te.create_schedule(b.op)
        cache = s.cache_read(a, "warp", [b])
        s[b].bind(s[b].op.axis[0], axis("blockIdx.x"))
        s[b].bind(s[b].op.axis[1], axis("threadIdx.x"))
        s[cache].compute_at(s[b], s[b].op.axis[0])
        s[cache].bind(s[cache].op.axis[1], axis("threadIdx.x"))
        return s, [a, b]

    def library(make: Callable[[], Any]) -> Callable[[], Any]:
        def made() -> Any:
            with tvm.target.Target("cuda -arch=sm_80"):
                return make()

        return made

    def softmax() -> Any:
        a = te.placeholder((64, 512), name="A")
        b = topi.nn.softmax(a)
        return topi.cuda.schedule_softmax([b]), [a, b]

    def conv() -> Any:
        a, w = te.placeholder((1, 8, 14, 14), name="A"), te.placeholder((8, 1, 3, 3), name="W")
        b = topi.nn.depthwise_conv2d_nchw(a, w, 1, 1, 1)
        return topi.cuda.schedule_injective([b]), [a, w, b]

    def reduce() -> Any:
        a = te.placeholder((64, 512), name="A")
        b = topi.sum(a, axis=1)
        return topi.cuda.schedule_reduce([b]), [a, b]

    def sort() -> Any:
        a = te.placeholder((4, 16), name="A")
        b = topi.cuda.argsort(a, axis=1)
        return topi.cuda.schedule_argsort([b]), [a, b]

    def cumsum() -> Any:
        a = te.placeholder((4, 16), name="A")
        b = topi.cuda.cumsum(a, 1)
        return topi.cuda.schedule_scan([b]), [a, b]

    def scatter() -> Any:
        a, i, u = (
            te.placeholder((8, 16), name="A"),
            te.placeholder((2, 16), "int64", name="i"),
            te.placeholder((2, 16), name="u"),
        )
        b = topi.cuda.scatter_elements(a, i, u, 0, "add")
        return topi.generic.schedule_extern([b]), [a, i, u, b]

    for plain in (elementwise, shared, cross_thread, warp):
        yield plain.__name__, plain
    for make in (softmax, conv, reduce, sort, cumsum, scatter):
        yield make.__name__, library(make)


def lowered(make: Callable[[], tuple[Any, list[Any]]]) -> dict[str, Any]:
    """The module after the schedule, and after every pass of `tvm.lower`."""
    schedule, arguments = make()
    recorder = Recorder()
    with tvm.transform.PassContext(opt_level=3, instruments=[recorder.instrument]):
        tvm.lower(schedule, arguments, name="main")
    return recorder.steps


def built(make: Callable[[], tuple[Any, list[Any]]], target: str) -> dict[str, Any]:
    """The module after every pass of `tvm.build`, device and host parts included."""
    schedule, arguments = make()
    recorder = Recorder()
    with tvm.transform.PassContext(opt_level=3, instruments=[recorder.instrument]):
        try:
            tvm.build(schedule, arguments, target=target, name="main")
        except Exception:
            if len(recorder.steps) < 5:
                raise
    return recorder.steps


def run(store: Store) -> None:
    """CPU schedules through LLVM and C, GPU schedules through CUDA."""
    for name, make in cpu():
        store.attempt("legacy-cpu", name, lambda make=make: lowered(make))
        store.attempt("legacy-cpu-build", name, lambda make=make: built(make, "llvm"))
        store.attempt("legacy-c", name, lambda make=make: built(make, "c"))
    for name, make in gpu():
        store.attempt("legacy-gpu", name, lambda make=make: lowered(make))
        store.attempt("legacy-gpu-build", name, lambda make=make: built(make, "cuda -arch=sm_80"))
