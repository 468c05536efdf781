# pass: relax.LegalizeOps
# Sizes of tensors are parameters of kernels through the tensors, others are passed; a repeated argument is one tensor.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), s: R.Shape(["n", "m"])) -> R.Tensor(("n", 8), "float32"):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            y = R.add(x, x)
            z = R.concat((y, R.multiply(y, R.const(2, "float32"))), axis=1)
            gv = R.nn.softmax(z)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(var_x: T.handle, var_x_1: T.handle, var_T_add: T.handle):
        T.func_attr({"tir.noalias": T.bool(True)})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(4)))
        x_1 = T.match_buffer(var_x_1, (n, T.int64(4)))
        T_add = T.match_buffer(var_T_add, (n, T.int64(4)))
        # with T.block("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], x_1[v_ax0, v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = x[v_ax0, v_ax1] + x_1[v_ax0, v_ax1]

    @T.prim_func(private=True)
    def concatenate(var_y: T.handle, var_lv1: T.handle, var_T_concat: T.handle):
        T.func_attr({"tir.noalias": T.bool(True)})
        n = T.int64()
        y = T.match_buffer(var_y, (n, T.int64(4)))
        lv1 = T.match_buffer(var_lv1, (n, T.int64(4)))
        T_concat = T.match_buffer(var_T_concat, (n, T.int64(8)))
        # with T.block("root"):
        for ax0, ax1 in T.grid(n, T.int64(8)):
            with T.block("T_concat"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(lv1[v_ax0, v_ax1 - T.int64(4)], y[v_ax0, v_ax1])
                T.writes(T_concat[v_ax0, v_ax1])
                T_concat[v_ax0, v_ax1] = T.if_then_else(T.int64(4) <= v_ax1, lv1[v_ax0, v_ax1 - T.int64(4)], y[v_ax0, v_ax1])

    @T.prim_func(private=True)
    def multiply(var_y: T.handle, var_T_multiply: T.handle):
        T.func_attr({"tir.noalias": T.bool(True)})
        n = T.int64()
        y = T.match_buffer(var_y, (n, T.int64(4)))
        T_multiply = T.match_buffer(var_T_multiply, (n, T.int64(4)))
        # with T.block("root"):
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.block("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(y[v_ax0, v_ax1])
                T.writes(T_multiply[v_ax0, v_ax1])
                T_multiply[v_ax0, v_ax1] = y[v_ax0, v_ax1] * T.float32(2)

    @T.prim_func(private=True)
    def softmax(var_z: T.handle, var_T_softmax_norm: T.handle):
        T.func_attr({"tir.noalias": T.bool(True)})
        n = T.int64()
        z = T.match_buffer(var_z, (n, T.int64(8)))
        T_softmax_norm = T.match_buffer(var_T_softmax_norm, (n, T.int64(8)))
        # with T.block("root"):
        T_softmax_maxelem = T.alloc_buffer((n,))
        T_softmax_exp = T.alloc_buffer((n, T.int64(8)))
        T_softmax_expsum = T.alloc_buffer((n,))
        for i0, k in T.grid(n, T.int64(8)):
            with T.block("T_softmax_maxelem"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(z[v_i0, v_k])
                T.writes(T_softmax_maxelem[v_i0])
                with T.init():
                    T_softmax_maxelem[v_i0] = T.float32(-3.4028234663852886e+38)
                T_softmax_maxelem[v_i0] = T.max(T_softmax_maxelem[v_i0], z[v_i0, v_k])
        for i0, i1 in T.grid(n, T.int64(8)):
            with T.block("T_softmax_exp"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(z[v_i0, v_i1], T_softmax_maxelem[v_i0])
                T.writes(T_softmax_exp[v_i0, v_i1])
                T_softmax_exp[v_i0, v_i1] = T.exp(z[v_i0, v_i1] - T_softmax_maxelem[v_i0])
        for i0, k in T.grid(n, T.int64(8)):
            with T.block("T_softmax_expsum"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(T_softmax_exp[v_i0, v_k])
                T.writes(T_softmax_expsum[v_i0])
                with T.init():
                    T_softmax_expsum[v_i0] = T.float32(0)
                T_softmax_expsum[v_i0] = T_softmax_expsum[v_i0] + T_softmax_exp[v_i0, v_k]
        for i0, i1 in T.grid(n, T.int64(8)):
            with T.block("T_softmax_norm"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_softmax_exp[v_i0, v_i1], T_softmax_expsum[v_i0])
                T.writes(T_softmax_norm[v_i0, v_i1])
                T.block_attr({"axis": 1})
                T_softmax_norm[v_i0, v_i1] = T_softmax_exp[v_i0, v_i1] / T_softmax_expsum[v_i0]

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), s: R.Shape(["n", "m"])) -> R.Tensor(("n", 8), dtype="float32"):
        n = T.int64()
        m = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.add, (x, x), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            lv1 = R.call_tir(cls.multiply, (y,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            z = R.call_tir(cls.concatenate, (y, lv1), out_sinfo=R.Tensor((n, 8), dtype="float32"))
            gv = R.call_tir(cls.softmax, (z,), out_sinfo=R.Tensor((n, 8), dtype="float32"))
            R.output(gv)
        return gv
