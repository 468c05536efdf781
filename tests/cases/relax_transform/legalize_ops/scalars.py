# pass: relax.LegalizeOps
# Conditions decide the dtype of the axis of a scalar. Calls of one form share a kernel; of two constants, one stays a tensor.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32"), i: R.Tensor((), "int32")) -> R.Tensor((2,), "float32"):
        s = R.sign(i)
        with R.dataflow():
            a = R.multiply(R.const(2.0, "float32"), R.const(2.0, "float32"))
            b = R.multiply(R.const(2.0, "float32"), R.const(2.0, "float32"))
            c = R.add(x, b)
            f = R.add(R.const(2.0, "float32"), c)
            g = R.add(R.const(2.0, "float32"), f)
            R.output(g)
        return g

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(x: T.Buffer((T.int64(2),), "float32"), b: T.Buffer((), "float32"), T_add: T.Buffer((T.int64(2),), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0 in range(T.int64(2)):
            with T.block("T_add"):
                v_ax0 = T.axis.spatial(T.int64(2), ax0)
                T.reads(x[v_ax0], b[()])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = x[v_ax0] + b[()]

    @T.prim_func(private=True)
    def add1(c: T.Buffer((T.int64(2),), "float32"), T_add: T.Buffer((T.int64(2),), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0 in range(T.int64(2)):
            with T.block("T_add"):
                v_ax0 = T.axis.spatial(T.int64(2), ax0)
                T.reads(c[v_ax0])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = T.float32(2) + c[v_ax0]

    @T.prim_func(private=True)
    def multiply(A: T.Buffer((), "float32"), T_multiply: T.Buffer((), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        with T.block("T_multiply"):
            vi = T.axis.spatial(1, T.int64(0))
            T.reads(A[()])
            T.writes(T_multiply[()])
            T_multiply[()] = A[()] * T.float32(2)

    @T.prim_func(private=True)
    def tir_sign(i: T.Buffer((), "int32"), T_sign: T.Buffer((), "int32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        with T.block("T_sign"):
            vi = T.axis.spatial(T.int64(1), T.int64(0))
            T.reads(i[()])
            T.writes(T_sign[()])
            T_sign[()] = T.Select(T.int64(0) < T.Cast("int64", i[()]), 1, T.Select(T.Cast("int64", i[()]) < T.int64(0), -1, 0))

    @R.function
    def main(x: R.Tensor((2,), dtype="float32"), i: R.Tensor((), dtype="int32")) -> R.Tensor((2,), dtype="float32"):
        cls = Module
        s = R.call_tir(cls.tir_sign, (i,), out_sinfo=R.Tensor((), dtype="int32"))
        with R.dataflow():
            a = R.call_tir(cls.multiply, (R.const(2, "float32"),), out_sinfo=R.Tensor((), dtype="float32"))
            b = R.call_tir(cls.multiply, (R.const(2, "float32"),), out_sinfo=R.Tensor((), dtype="float32"))
            c = R.call_tir(cls.add, (x, b), out_sinfo=R.Tensor((2,), dtype="float32"))
            f = R.call_tir(cls.add1, (c,), out_sinfo=R.Tensor((2,), dtype="float32"))
            g = R.call_tir(cls.add1, (f,), out_sinfo=R.Tensor((2,), dtype="float32"))
            R.output(g)
        return g
