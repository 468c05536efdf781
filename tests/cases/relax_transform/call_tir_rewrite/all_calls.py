# pass: relax.CallTIRRewrite
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n,))
        B = T.match_buffer(b, (n,))
        for i in range(n):
            with T.block("b"):
                vi = T.axis.spatial(n, i)
                B[vi] = A[vi]

    @T.prim_func(private=True)
    def g(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32"), k: T.int64):
        for i in range(4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi] + T.Cast("float32", k)

    @T.prim_func(private=True)
    def two(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32"), C: T.Buffer((T.int64(4),), "float32")):
        for i in range(4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi]
                C[vi] = A[vi]

    @R.function
    def main(x: R.Tensor((4,), "float32"), s: R.Shape(["k"])):
        k = T.int64()
        R.func_attr({"relax.force_pure": 1})
        cls = Module
        a = R.call_tir(cls.f, (x,), R.Tensor((4,), "float32"))
        b = R.call_tir(cls.g, (a,), R.Tensor((4,), "float32"), tir_vars=R.shape([k]))
        p = R.call_tir(cls.two, (b,), [R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
        c = p[0]
        d = R.call_tir_inplace(cls.f, (c, x), [0], R.Tensor((4,), "float32"))
        e = R.call_dps_packed("f.d", (d,), R.Tensor((4,), "float32"))
        return e

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n,))
        B = T.match_buffer(b, (n,))
        # with T.block("root"):
        for i in range(n):
            with T.block("b"):
                vi = T.axis.spatial(n, i)
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = A[vi]

    @T.prim_func(private=True)
    def g(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32"), k: T.int64):
        # with T.block("root"):
        for i in range(4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = A[vi] + T.Cast("float32", k)

    @T.prim_func(private=True)
    def two(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32"), C: T.Buffer((T.int64(4),), "float32")):
        # with T.block("root"):
        for i in range(4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi])
                T.writes(B[vi], C[vi])
                B[vi] = A[vi]
                C[vi] = A[vi]

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), s: R.Shape(["k"])) -> R.Tensor((4,), dtype="float32"):
        k = T.int64()
        R.func_attr({"relax.force_pure": 1})
        cls = Module
        alloc: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.f(x, alloc)
        a: R.Tensor((4,), dtype="float32") = alloc
        alloc1: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        R.vm.call_tir_dyn(cls.g, (a, alloc1, R.shape([k])))
        b: R.Tensor((4,), dtype="float32") = alloc1
        alloc2: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        alloc3: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.two(b, alloc2, alloc3)
        p: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = alloc2, alloc3
        c: R.Tensor((4,), dtype="float32") = p[0]
        cls.f(c, x)
        d: R.Tensor((4,), dtype="float32") = c
        alloc4: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _4: R.Object = R.call_packed("f.d", d, alloc4)
        e: R.Tensor((4,), dtype="float32") = alloc4
        return e
