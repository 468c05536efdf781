# mypy: ignore-errors
# ruff: noqa: F821

DIFFERENT = {
    "hybrid_functions.assertion": "an assertion is around the statements behind it",
    "hybrid_schedules.parts": "TVM fails, for nparts",
    "hybrid_schedules.fuse": "TVM fails, for nparts",
    "hybrid_schedules.tile": "TVM reads i_inner outside of its loop",
    "hybrid_schedules.no_nest": "TVM reads i outside of its loop: refused",
    "hybrid_schedules.producer_inside": "TVM finds no loops of hybrid functions for other stages",
}

K = 5


def _outer():
    @te.hybrid.script
    def outer(a, b):
        c = output_tensor((a.shape[0], b.shape[0]), a.dtype)
        for i in range(a.shape[0]):
            for j in range(b.shape[0]):
                c[i, j] = a[i] * b[j]
        return c

    return outer


def _nest():
    @te.hybrid.script
    def nest(a):
        b = output_tensor((16, 12), "float32")
        for i in range(16):
            for j in range(12):
                b[i, j] = a[i, j] + 1.0
        return b

    return nest


def _of(function, *args):
    result = function(*args)
    outputs = [result] if isinstance(result, te.Tensor) else list(result)
    arguments = [arg for arg in args if isinstance(arg, (te.Tensor, tvm.tir.Var))]
    return te.create_schedule(outputs[0].op), [*arguments, *outputs]


def hybrid_functions():
    yield "outer", _of(_outer(), te.placeholder((100,), name="a"), te.placeholder((99,), name="b"))
    n, m = te.size_var("n"), te.size_var("m")
    yield "symbolic", _of(_outer(), te.placeholder((n,), name="a"), te.placeholder((m,), name="b"))

    @te.hybrid.script
    def fanout(a):
        three = 3.0
        b = output_tensor((a.shape[0] - 3,), a.dtype)
        for i in range(a.shape[0] - 3):
            sigma = 0.0
            for j in range(3):
                sigma += a[i + j]
            sigma = sigma / three
            b[i] = sigma
        return b

    yield "fanout", _of(fanout, te.placeholder((10,), name="a"))

    @te.hybrid.script
    def kinds(a, b, c):
        d = output_tensor((16,), "int32")
        e = output_tensor((16,), "int32")
        f = output_tensor((16,), "int32")
        for i in parallel(16):
            d[i] = a[i]
        for j in vectorize(16):
            e[j] = b[j]
        for k in unroll(4):
            f[k] = c[k]
        return d, e, f

    yield "kinds", _of(kinds, *[te.placeholder((16,), "int32", name=name) for name in "abc"])

    @te.hybrid.script
    def conditions(a):
        b = output_tensor((10,), "int32")
        c = output_tensor((10,), "int32")
        for i in range(10):
            if i % 2 == 0:
                c[i] = a[i]
            else:
                c[i] = a[i + 1] if i < 9 else 0
            for j in unroll(1):
                b[i] = -1 if i % 2 == 0 else 1
        return b, c

    yield "conditions", _of(conditions, te.placeholder((10,), "int32", name="a"))

    @te.hybrid.script
    def memory(a):
        b = output_tensor(a.shape, "float32")
        c = allocate((a.shape[0] + 2,), "float32", "local")
        for i in range(a.shape[0] + 2):
            c[i] = 0.0
        for i in range(a.shape[0]):
            c[i] = a[i] + 1.0
        for i in range(a.shape[0]):
            b[i] = c[i] + c[i + 1] * 2.0
        return b

    yield "memory", _of(memory, te.placeholder((10,), name="a"))

    @te.hybrid.script
    def upstream(a):
        b = output_tensor((20,), "float32")
        for i in range(20):
            b[i] = a[i] * i
        return b

    x = te.compute((20,), lambda i: te.const(1.0, "float32") * i, name="x")
    schedule, (_, result) = _of(upstream, x)
    yield "upstream", (schedule, [result])

    @te.hybrid.script
    def intrinsics(a):
        b = output_tensor(a.shape, "float32")
        for i in range(a.shape[0]):
            x = max(a[i], 0.5)
            b[i] = sqrt(x) + log(x) + exp(x) * tanh(x) - power(x, float32(2)) + sigmoid(min(x, 2.0)) + float32(int32(x))
        return b

    yield "intrinsics", _of(intrinsics, te.placeholder((10,), name="a"))

    @te.hybrid.script
    def threads(a):
        c = output_tensor((a.shape[0],), a.dtype)
        for tx in bind("threadIdx.x", a.shape[0]):
            c[tx] = a[tx] + 1.0
        return c

    yield "threads", _of(threads, te.placeholder((32,), name="a"))

    @te.hybrid.script
    def ranges(a, k):
        b = output_tensor((16,), "float32")
        for i in range(2, 16):
            if (i > 2 and i < 9) or i == 12:
                b[i] = a[i] + k
            elif i == 3:
                b[i] = a[i] / 2.0
            else:
                b[i] = -a[i]
                b[i] *= 3.0
        return b

    yield "ranges", _of(ranges, te.placeholder((16,), name="a"), te.var("k", "float32"))
    yield "constant", _of(ranges, te.placeholder((16,), name="a"), tvm.tir.const(7.0, "float32"))

    @te.hybrid.script
    def unrolled(a):
        b = output_tensor(a.shape, a.dtype)
        for i in range(a.shape[0]):
            for j in const_range(4):
                b[i, j] = a[i, j] + float32(i) * j
        return b

    yield "unrolled", _of(unrolled, te.placeholder((5, 4), name="a"))

    @te.hybrid.script
    def assertion(a, n):
        assert 8 < n, "must be more"
        b = output_tensor((16,), a.dtype)
        for i in range(16):
            b[i] = a[i]
        return b

    yield "assertion", _of(assertion, te.placeholder((16,), name="a"), te.var("n"))

    @te.hybrid.script
    def rowmax(a):
        b = output_tensor((a.shape[0],), "int32")
        c = output_tensor((a.shape[0],), "float32")
        m = len(a.shape)
        for i in range(a.shape[0]):
            b[i] = max(i, 3) + ceil_div(i, 4) + popcount(i) + m
            best = ninf("float32")
            for j in range(a.shape[1]):
                if a[i, j] > best:
                    best = a[i, j]
                else:
                    best = best + 0.0
            c[i] = best + round(best)
        return c, b

    yield "rowmax", _of(rowmax, te.placeholder((6, 7), name="a"))

    @te.hybrid.script
    def reversed_outputs(a):
        b = output_tensor((16,), "float32")
        c = output_tensor((16,), "float32")
        for i in range(16):
            b[i] = a[i]
            c[i] = a[i] * 2.0
        return c, b

    yield "reversed_outputs", _of(reversed_outputs, te.placeholder((16,), name="a"))

    @te.hybrid.script
    def captured(a):
        b = output_tensor((K, 8), "float32")
        for i in range(K):
            for j in range(8):
                b[i, j] = a[i, j] + K
        return b

    yield "captured", _of(captured, te.placeholder((5, 8), name="a"))


def hybrid_schedules():
    a = te.placeholder((16, 12), name="a")

    def scheduled(change, function=None):
        schedule, args = _of(function or _nest(), a)
        change(schedule[args[-1]], args[-1].op.axis)
        return schedule, args

    def split(stage, axes):
        outer, _ = stage.split(axes[0], 5)
        stage.vectorize(axes[1])
        stage.parallel(outer)

    def parts(stage, axes):
        stage.split(axes[0], 4)
        stage.split(axes[1], nparts=5)

    def reorder(stage, axes):
        stage.reorder(axes[1], axes[0])
        stage.bind(axes[1], te.thread_axis("blockIdx.x"))
        stage.bind(axes[0], te.thread_axis("threadIdx.x"))

    def fuse(stage, axes):
        outer, _ = stage.split(stage.fuse(*axes), nparts=7)
        stage.parallel(outer)

    for change in (split, parts, reorder, fuse):
        yield change.__name__, scheduled(change)
    yield "tile", scheduled(lambda stage, axes: stage.tile(axes[0], axes[1], 4, 3))

    @te.hybrid.script
    def two(a):
        b = output_tensor((16, 12), "float32")
        for i in range(16):
            for j in range(12):
                b[i, j] = 0.0
            for k in range(12):
                b[i, k] += a[i, k]
        return b

    def inner(stage, axes):
        stage.split(axes[1], 3)
        stage.split(axes[2], 4)

    yield "inner", scheduled(inner, two)
    yield "no_nest", scheduled(lambda stage, axes: stage.reorder(axes[1], axes[0]), two)

    x = te.placeholder((16, 12), name="x")

    def chain(change):
        y = te.compute((16, 12), lambda i, j: x[i, j] * 2.0, name="Y")
        z = _nest()(y)
        w = te.compute((16, 12), lambda i, j: z[i, j] + 3.0, name="W")
        s = te.create_schedule(w.op)
        change(s, y, z, w)
        return s, [x, w]

    yield "chain", chain(lambda s, y, z, w: None)
    yield "producer_inside", chain(lambda s, y, z, w: s[y].compute_at(s[z], z.op.axis[0]))
    yield "inside_of_reader", chain(lambda s, y, z, w: s[z].compute_at(s[w], w.op.axis[0]))
    yield "cache_read", chain(lambda s, y, z, w: s.cache_read(y, "local", [z]))
