# pass: relax.FuseOps
# An output that another block reads stays in the group of its own block.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def exp(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
        T.func_attr({"op_pattern": 0})
        for i in range(4):
            with T.block("y"):
                vi = T.axis.spatial(4, i)
                y[vi] = T.exp(x[vi])

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.exp, (x,), R.Tensor((4,), "float32"))
            b = R.call_tir(cls.exp, (a,), R.Tensor((4,), "float32"))
            R.output(b)
        R.print(x, format="{}")
        with R.dataflow():
            c = R.call_tir(cls.exp, (b,), R.Tensor((4,), "float32"))
            R.output(c)
        return c

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def exp(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
        T.func_attr({"op_pattern": 0})
        # with T.block("root"):
        for i in range(4):
            with T.block("y"):
                vi = T.axis.spatial(4, i)
                T.reads(x[vi])
                T.writes(y[vi])
                y[vi] = T.exp(x[vi])

    @R.function(private=True)
    def fused_exp_exp(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        R.func_attr({"Primitive": 1})
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
            gv = R.call_tir(cls.exp, (a,), out_sinfo=R.Tensor((4,), dtype="float32"))
            R.output(gv)
        return gv

    @R.function(pure=False)
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        with R.dataflow():
            gv: R.Tensor((4,), dtype="float32") = cls.fused_exp_exp(x)
            R.output(gv)
        R.print(x, format=R.str("{}"))
        with R.dataflow():
            c = R.call_tir(cls.exp, (gv,), out_sinfo=R.Tensor((4,), dtype="float32"))
            R.output(c)
        return c
