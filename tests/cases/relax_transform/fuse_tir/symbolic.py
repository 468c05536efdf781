# pass: relax.FuseTIR
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def exp(x: T.handle, y: T.handle):
        T.func_attr({"op_pattern": 0})
        n = T.int64()
        x_1 = T.match_buffer(x, (n,))
        y_1 = T.match_buffer(y, (n,))
        # with T.block("root"):
        for i in range(n):
            with T.block("exp"):
                vi = T.axis.spatial(n, i)
                T.reads(x_1[vi])
                T.writes(y_1[vi])
                y_1[vi] = T.exp(x_1[vi])

    @T.prim_func(private=True)
    def full(y: T.handle, m: T.int64):
        T.func_attr({"op_pattern": 0})
        n = T.int64()
        y_1 = T.match_buffer(y, (n,))
        # with T.block("root"):
        for i in range(n):
            with T.block("full"):
                vi = T.axis.spatial(n, i)
                T.reads()
                T.writes(y_1[vi])
                y_1[vi] = T.Cast("float32", m)

    @R.function(private=True)
    def fused_exp_exp(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": 1})
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((n,), dtype="float32"))
            gv = R.call_tir(cls.exp, (lv,), out_sinfo=R.Tensor((n,), dtype="float32"))
            R.output(gv)
        return gv

    @R.function(private=True)
    def fused_full_exp(tir_vars: R.Shape(["m", "n"])) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"Primitive": 1})
        cls = Module
        with R.dataflow():
            lv1 = R.call_tir(cls.full, R.tuple(), out_sinfo=R.Tensor((n,), dtype="float32"), tir_vars=R.shape([m]))
            gv = R.call_tir(cls.exp, (lv1,), out_sinfo=R.Tensor((n,), dtype="float32"))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), s: R.Shape(["m"])) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        m = T.int64()
        cls = Module
        with R.dataflow():
            gv: R.Tensor((n,), dtype="float32") = cls.fused_exp_exp(x)
            gv1: R.Tensor((n,), dtype="float32") = cls.fused_full_exp(R.shape([m, n]))
            R.output(gv, gv1)
        return (gv, gv1)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def fused_exp_exp(p_x: T.handle, p_output0: T.handle):
        T.func_attr({"tir.noalias": T.bool(True)})
        n = T.int64()
        x = T.match_buffer(p_x, (n,))
        y_1_intermediate_1 = T.match_buffer(p_output0, (n,))
        # with T.block("root"):
        y_1_intermediate = T.alloc_buffer((n,))
        for i in range(n):
            with T.block("exp"):
                vi = T.axis.spatial(n, i)
                T.reads(x[vi])
                T.writes(y_1_intermediate[vi])
                y_1_intermediate[vi] = T.exp(x[vi])
        for i in range(n):
            with T.block("exp_1"):
                vi = T.axis.spatial(n, i)
                T.reads(y_1_intermediate[vi])
                T.writes(y_1_intermediate_1[vi])
                y_1_intermediate_1[vi] = T.exp(y_1_intermediate[vi])

    @T.prim_func(private=True)
    def fused_full_exp(p_output0: T.handle, m: T.int64, n: T.int64):
        T.func_attr({"tir.noalias": T.bool(True)})
        y_1_intermediate_1 = T.match_buffer(p_output0, (n,))
        # with T.block("root"):
        y_1_intermediate = T.alloc_buffer((n,))
        for i in range(n):
            with T.block("full"):
                vi = T.axis.spatial(n, i)
                T.reads()
                T.writes(y_1_intermediate[vi])
                y_1_intermediate[vi] = T.Cast("float32", m)
        for i in range(n):
            with T.block("exp"):
                vi = T.axis.spatial(n, i)
                T.reads(y_1_intermediate[vi])
                T.writes(y_1_intermediate_1[vi])
                y_1_intermediate_1[vi] = T.exp(y_1_intermediate[vi])

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), s: R.Shape(["m"])) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        m = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.fused_exp_exp, (x,), out_sinfo=R.Tensor((n,), dtype="float32"))
            gv1 = R.call_tir(cls.fused_full_exp, R.tuple(), out_sinfo=R.Tensor((n,), dtype="float32"), tir_vars=R.shape([m, n]))
            R.output(gv, gv1)
        return (gv, gv1)
