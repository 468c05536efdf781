# pass: relax.FuseOps
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def exp(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), y: T.Buffer((T.int64(4), T.int64(8)), "float32")):
        T.func_attr({"op_pattern": 0})
        for i, j in T.grid(T.int64(4), T.int64(8)):
            with T.block("exp"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = T.exp(x[vi, vj])

    @T.prim_func(private=True)
    def sum(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        T.func_attr({"op_pattern": 3})
        for i, j in T.grid(T.int64(4), T.int64(8)):
            with T.block("sum"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    y[vi] = T.float32(0)
                y[vi] = y[vi] + x[vi, vj]

    @R.function
    def main(x: R.Tensor((4, 8), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            lv1 = R.call_tir(cls.exp, (lv,), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            gv = R.call_tir(cls.sum, (lv1,), out_sinfo=R.Tensor((4,), dtype="float32"))
            gv1 = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            lv2 = R.call_tir(cls.exp, (gv1,), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            lv3 = (lv2, gv)
            R.output(gv, gv1)
        return (gv, gv1)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def exp(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), y: T.Buffer((T.int64(4), T.int64(8)), "float32")):
        T.func_attr({"op_pattern": 0})
        # with T.block("root"):
        for i, j in T.grid(T.int64(4), T.int64(8)):
            with T.block("exp"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(x[vi, vj])
                T.writes(y[vi, vj])
                y[vi, vj] = T.exp(x[vi, vj])

    @T.prim_func(private=True)
    def sum(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        T.func_attr({"op_pattern": 3})
        # with T.block("root"):
        for i, j in T.grid(T.int64(4), T.int64(8)):
            with T.block("sum"):
                vi, vj = T.axis.remap("SR", [i, j])
                T.reads(x[vi, vj])
                T.writes(y[vi])
                with T.init():
                    y[vi] = T.float32(0)
                y[vi] = y[vi] + x[vi, vj]

    @R.function(private=True)
    def fused_exp_exp_sum(x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        R.func_attr({"Primitive": 1})
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            lv1 = R.call_tir(cls.exp, (lv,), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            gv = R.call_tir(cls.sum, (lv1,), out_sinfo=R.Tensor((4,), dtype="float32"))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4, 8), dtype="float32")):
        cls = Module
        with R.dataflow():
            gv: R.Tensor((4,), dtype="float32") = cls.fused_exp_exp_sum(x)
            gv1 = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            lv2 = R.call_tir(cls.exp, (gv1,), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            lv3: R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((4,), dtype="float32")) = lv2, gv
            R.output(gv, gv1)
        return (gv, gv1)
