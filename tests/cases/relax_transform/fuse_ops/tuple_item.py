# pass: relax.FuseOps
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def addp(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), y: T.Buffer((T.int64(4), T.int64(8)), "float32"), T_add: T.Buffer((T.int64(4), T.int64(8)), "float32")):
        T.func_attr({"op_pattern": 0, "tir.noalias": T.bool(True)})
        for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], y[v_ax0, v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = x[v_ax0, v_ax1] + y[v_ax0, v_ax1]
    @T.prim_func(private=True)
    def unused(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), T_add: T.Buffer((T.int64(4), T.int64(8)), "float32")):
        T.func_attr({"op_pattern": 0, "tir.noalias": T.bool(True)})
        for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T_add[v_ax0, v_ax1] = x[v_ax0, v_ax1]
    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32"), t: R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((4, 8), dtype="float32"))) -> R.Tensor((4, 8), dtype="float32"):
        cls = Module
        with R.dataflow():
            dead = R.call_tir(cls.addp, (x, x), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            t1 = t[1]
            lv = R.call_tir(cls.addp, (x, x), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            lv1 = R.call_tir(cls.addp, (lv, t1), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            lv2 = R.call_tir(cls.addp, (lv1, lv), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            lv3 = lv2
            gv = lv3
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def addp(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), y: T.Buffer((T.int64(4), T.int64(8)), "float32"), T_add: T.Buffer((T.int64(4), T.int64(8)), "float32")):
        T.func_attr({"op_pattern": 0, "tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], y[v_ax0, v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = x[v_ax0, v_ax1] + y[v_ax0, v_ax1]

    @T.prim_func(private=True)
    def unused(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), T_add: T.Buffer((T.int64(4), T.int64(8)), "float32")):
        T.func_attr({"op_pattern": 0, "tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = x[v_ax0, v_ax1]

    @R.function(private=True)
    def fused_addp_addp_addp(t_1: R.Tensor((4, 8), dtype="float32"), x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        R.func_attr({"Primitive": 1})
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.addp, (x, x), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            lv1 = R.call_tir(cls.addp, (lv, t_1), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            gv = R.call_tir(cls.addp, (lv1, lv), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32"), t: R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((4, 8), dtype="float32"))) -> R.Tensor((4, 8), dtype="float32"):
        cls = Module
        with R.dataflow():
            dead = R.call_tir(cls.addp, (x, x), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            lv: R.Tensor((4, 8), dtype="float32") = t[1]
            lv1: R.Tensor((4, 8), dtype="float32") = cls.fused_addp_addp_addp(lv, x)
            lv3: R.Tensor((4, 8), dtype="float32") = lv1
            gv: R.Tensor((4, 8), dtype="float32") = lv3
            R.output(gv)
        return gv
