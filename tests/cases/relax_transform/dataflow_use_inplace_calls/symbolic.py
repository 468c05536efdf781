# pass: relax.DataflowUseInplaceCalls
@I.ir_module
class Module:
    @R.function
    def f3(x: R.Tensor(("n", 3), "float32")) -> R.Tensor(("n", 3), "float32"):
        n = T.int64()
        with R.dataflow():
            a = R.exp(x)
            b = R.add(x, a)
            c = R.add(b, R.const(1.0, "float32"))
            a1 = R.match_cast(c, R.Tensor((n, 3), "float32"))
            d = R.nn.relu(a1)
            R.output(d)
        return d

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add1_inplace(var_b: T.handle):
        T.func_attr({"tir.noalias": T.bool(True)})
        n = T.int64()
        b = T.match_buffer(var_b, (n, T.int64(3)))
        # with T.block("root"):
        for ax0, ax1 in T.grid(n, T.int64(3)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(b[v_ax0, v_ax1])
                T.writes(b[v_ax0, v_ax1])
                b[v_ax0, v_ax1] = b[v_ax0, v_ax1] + T.float32(1)

    @T.prim_func(private=True)
    def add_inplace(var_x: T.handle, var_a: T.handle):
        T.func_attr({"tir.noalias": T.bool(True)})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(3)))
        a = T.match_buffer(var_a, (n, T.int64(3)))
        # with T.block("root"):
        for ax0, ax1 in T.grid(n, T.int64(3)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], a[v_ax0, v_ax1])
                T.writes(a[v_ax0, v_ax1])
                a[v_ax0, v_ax1] = x[v_ax0, v_ax1] + a[v_ax0, v_ax1]

    @T.prim_func(private=True)
    def relu_inplace(var_a1: T.handle):
        T.func_attr({"tir.noalias": T.bool(True)})
        n = T.int64()
        a1 = T.match_buffer(var_a1, (n, T.int64(3)))
        # with T.block("root"):
        for i0, i1 in T.grid(n, T.int64(3)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(a1[v_i0, v_i1])
                T.writes(a1[v_i0, v_i1])
                a1[v_i0, v_i1] = T.max(a1[v_i0, v_i1], T.float32(0))

    @R.function
    def f3(x: R.Tensor(("n", 3), dtype="float32")) -> R.Tensor(("n", 3), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a: R.Tensor((n, 3), dtype="float32") = R.exp(x)
            b: R.Tensor((n, 3), dtype="float32") = R.call_tir_inplace(cls.add_inplace, (x, a), out_sinfo=R.Tensor((n, 3), dtype="float32"), inplace_indices=[1])
            c: R.Tensor((n, 3), dtype="float32") = R.call_tir_inplace(cls.add1_inplace, (b,), out_sinfo=R.Tensor((n, 3), dtype="float32"), inplace_indices=[0])
            a1: R.Tensor((n, 3), dtype="float32") = R.match_cast(c, R.Tensor((n, 3), dtype="float32"))
            d: R.Tensor((n, 3), dtype="float32") = R.call_tir_inplace(cls.relu_inplace, (a1,), out_sinfo=R.Tensor((n, 3), dtype="float32"), inplace_indices=[0])
            R.output(d)
        return d
