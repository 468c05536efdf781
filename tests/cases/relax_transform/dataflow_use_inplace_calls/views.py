# pass: relax.DataflowUseInplaceCalls
# differs from TVM: it writes into reshaped tensors whose memory is used afterwards
# `g` and `h` share memory.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((3, 2), "float32")) -> R.Tensor((3, 2), "float32"):
        o = R.exp(x)
        with R.dataflow():
            g = R.add(x, x)
            h = R.reshape(g, (3, 2))
            i = R.add(h, y)
            j = R.nn.relu(o)
            g1 = R.reshape(R.add(g, j), (3, 2))
            m = R.add(i, g1)
            R.output(m)
        return m

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add1_inplace(i: T.Buffer((T.int64(3), T.int64(2)), "float32"), g1: T.Buffer((T.int64(3), T.int64(2)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(3), T.int64(2)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(i[v_ax0, v_ax1], g1[v_ax0, v_ax1])
                T.writes(g1[v_ax0, v_ax1])
                g1[v_ax0, v_ax1] = i[v_ax0, v_ax1] + g1[v_ax0, v_ax1]

    @T.prim_func(private=True)
    def add_inplace(g: T.Buffer((T.int64(2), T.int64(3)), "float32"), j: T.Buffer((T.int64(2), T.int64(3)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(2), T.int64(3)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(g[v_ax0, v_ax1], j[v_ax0, v_ax1])
                T.writes(j[v_ax0, v_ax1])
                j[v_ax0, v_ax1] = g[v_ax0, v_ax1] + j[v_ax0, v_ax1]

    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((3, 2), dtype="float32")) -> R.Tensor((3, 2), dtype="float32"):
        cls = Module
        o: R.Tensor((2, 3), dtype="float32") = R.exp(x)
        with R.dataflow():
            g: R.Tensor((2, 3), dtype="float32") = R.add(x, x)
            h: R.Tensor((3, 2), dtype="float32") = R.reshape(g, R.shape([3, 2]))
            i: R.Tensor((3, 2), dtype="float32") = R.add(h, y)
            j: R.Tensor((2, 3), dtype="float32") = R.nn.relu(o)
            lv4: R.Tensor((2, 3), dtype="float32") = R.call_tir_inplace(cls.add_inplace, (g, j), out_sinfo=R.Tensor((2, 3), dtype="float32"), inplace_indices=[1])
            g1: R.Tensor((3, 2), dtype="float32") = R.reshape(lv4, R.shape([3, 2]))
            m: R.Tensor((3, 2), dtype="float32") = R.call_tir_inplace(cls.add1_inplace, (i, g1), out_sinfo=R.Tensor((3, 2), dtype="float32"), inplace_indices=[1])
            R.output(m)
        return m
