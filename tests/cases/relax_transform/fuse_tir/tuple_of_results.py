# pass: relax.FuseTIR
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
    def neg(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), y: T.Buffer((T.int64(4), T.int64(8)), "float32")):
        T.func_attr({"op_pattern": 0})
        for i, j in T.grid(T.int64(4), T.int64(8)):
            with T.block("neg"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = T.float32(0) - x[vi, vj]

    @T.prim_func(private=True)
    def split(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), y: T.Buffer((T.int64(4), T.int64(4)), "float32"), z: T.Buffer((T.int64(4), T.int64(4)), "float32")):
        for i, j in T.grid(T.int64(4), T.int64(4)):
            with T.block("y"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = x[vi, vj]
        for i, j in T.grid(T.int64(4), T.int64(4)):
            with T.block("z"):
                vi, vj = T.axis.remap("SS", [i, j])
                z[vi, vj] = x[vi, vj + T.int64(4)]

    @R.function(private=True)
    def fused(x: R.Tensor((4, 8), "float32"), unused: R.Tensor((4, 8), "float32")) -> R.Tuple(R.Tensor((4, 8), "float32"), R.Tensor((4, 4), "float32")):
        R.func_attr({"Primitive": 1})
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((4, 8), "float32"))
            lv1 = R.call_tir(cls.split, (lv,), out_sinfo=[R.Tensor((4, 4), "float32"), R.Tensor((4, 4), "float32")])
            gv = R.call_tir(cls.neg, (lv,), out_sinfo=R.Tensor((4, 8), "float32"))
            gv1 = lv1[1]
            R.output(gv, gv1)
        return (gv, gv1)

    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        cls = Module
        with R.dataflow():
            lv = cls.fused(x, x)
            gv = lv[1]
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def fused(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), y_intermediate_1_2: T.Buffer((T.int64(4), T.int64(8)), "float32"), z_intermediate: T.Buffer((T.int64(4), T.int64(4)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        y_intermediate = T.alloc_buffer((T.int64(4), T.int64(8)))
        y_intermediate_1 = T.alloc_buffer((T.int64(4), T.int64(4)))
        for i, j in T.grid(T.int64(4), T.int64(8)):
            with T.block("exp"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(x[vi, vj])
                T.writes(y_intermediate[vi, vj])
                y_intermediate[vi, vj] = T.exp(x[vi, vj])
        for i, j in T.grid(T.int64(4), T.int64(4)):
            with T.block("y"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(y_intermediate[vi, vj])
                T.writes(y_intermediate_1[vi, vj])
                y_intermediate_1[vi, vj] = y_intermediate[vi, vj]
        for i, j in T.grid(T.int64(4), T.int64(4)):
            with T.block("z"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(y_intermediate[vi, vj + T.int64(4)])
                T.writes(z_intermediate[vi, vj])
                z_intermediate[vi, vj] = y_intermediate[vi, vj + T.int64(4)]
        for i, j in T.grid(T.int64(4), T.int64(8)):
            with T.block("neg"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(y_intermediate[vi, vj])
                T.writes(y_intermediate_1_2[vi, vj])
                y_intermediate_1_2[vi, vj] = T.float32(0) - y_intermediate[vi, vj]

    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 4), dtype="float32"):
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.fused, (x,), out_sinfo=[R.Tensor((4, 8), dtype="float32"), R.Tensor((4, 4), dtype="float32")])
            gv: R.Tensor((4, 4), dtype="float32") = lv[1]
            R.output(gv)
        return gv
