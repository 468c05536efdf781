# pass: relax.DataflowUseInplaceCalls
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "int32"), y: R.Tensor((1, 3), "int32")) -> R.Tensor((2, 3), "int32"):
        with R.dataflow():
            z = R.add(x, y)
            q = R.multiply(z, y)
            p = R.add(z, q)
            r = R.subtract(p, p)
            s = R.nn.relu(r)
            t = R.add(s, x)
            m = R.multiply(t, t)
            R.output(m)
        return m

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add_inplace(z: T.Buffer((T.int64(2), T.int64(3)), "int32"), q: T.Buffer((T.int64(2), T.int64(3)), "int32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(2), T.int64(3)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(z[v_ax0, v_ax1], q[v_ax0, v_ax1])
                T.writes(q[v_ax0, v_ax1])
                q[v_ax0, v_ax1] = z[v_ax0, v_ax1] + q[v_ax0, v_ax1]

    @T.prim_func(private=True)
    def add_inplace1(z: T.Buffer((T.int64(2), T.int64(3)), "int32"), q: T.Buffer((T.int64(2), T.int64(3)), "int32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(2), T.int64(3)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(z[v_ax0, v_ax1], q[v_ax0, v_ax1])
                T.writes(z[v_ax0, v_ax1])
                z[v_ax0, v_ax1] = z[v_ax0, v_ax1] + q[v_ax0, v_ax1]

    @T.prim_func(private=True)
    def multiply_inplace(t: T.Buffer((T.int64(2), T.int64(3)), "int32"), t_1: T.Buffer((T.int64(2), T.int64(3)), "int32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(2), T.int64(3)):
            with T.block("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(t[v_ax0, v_ax1], t_1[v_ax0, v_ax1])
                T.writes(t_1[v_ax0, v_ax1])
                t_1[v_ax0, v_ax1] = t[v_ax0, v_ax1] * t_1[v_ax0, v_ax1]

    @T.prim_func(private=True)
    def relu_inplace(r: T.Buffer((T.int64(2), T.int64(3)), "int32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1 in T.grid(T.int64(2), T.int64(3)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(r[v_i0, v_i1])
                T.writes(r[v_i0, v_i1])
                r[v_i0, v_i1] = T.max(r[v_i0, v_i1], 0)

    @T.prim_func(private=True)
    def subtract_inplace(p: T.Buffer((T.int64(2), T.int64(3)), "int32"), p_1: T.Buffer((T.int64(2), T.int64(3)), "int32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(2), T.int64(3)):
            with T.block("T_subtract"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(p[v_ax0, v_ax1], p_1[v_ax0, v_ax1])
                T.writes(p_1[v_ax0, v_ax1])
                p_1[v_ax0, v_ax1] = p[v_ax0, v_ax1] - p_1[v_ax0, v_ax1]

    @R.function
    def main(x: R.Tensor((2, 3), dtype="int32"), y: R.Tensor((1, 3), dtype="int32")) -> R.Tensor((2, 3), dtype="int32"):
        cls = Module
        with R.dataflow():
            z: R.Tensor((2, 3), dtype="int32") = R.add(x, y)
            q: R.Tensor((2, 3), dtype="int32") = R.multiply(z, y)
            p: R.Tensor((2, 3), dtype="int32") = R.call_tir_inplace(cls.add_inplace, (z, q), out_sinfo=R.Tensor((2, 3), dtype="int32"), inplace_indices=[1])
            r: R.Tensor((2, 3), dtype="int32") = R.call_tir_inplace(cls.subtract_inplace, (p, p), out_sinfo=R.Tensor((2, 3), dtype="int32"), inplace_indices=[1])
            s: R.Tensor((2, 3), dtype="int32") = R.call_tir_inplace(cls.relu_inplace, (r,), out_sinfo=R.Tensor((2, 3), dtype="int32"), inplace_indices=[0])
            t: R.Tensor((2, 3), dtype="int32") = R.call_tir_inplace(cls.add_inplace1, (s, x), out_sinfo=R.Tensor((2, 3), dtype="int32"), inplace_indices=[0])
            m: R.Tensor((2, 3), dtype="int32") = R.call_tir_inplace(cls.multiply_inplace, (t, t), out_sinfo=R.Tensor((2, 3), dtype="int32"), inplace_indices=[1])
            R.output(m)
        return m
