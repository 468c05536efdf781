# pass: relax.DataflowUseInplaceCalls
# Memory that an item of a tuple, a cast, a parameter or an output shares is not overwritten.
@I.ir_module
class Module:
    @R.function
    def f2(x: R.Tensor((2, 3), "float32"), w: R.Tensor((1, 3), "float32")) -> R.Tuple(R.Tensor((2, 3), "float32"), R.Tensor((2, 3), "float32")):
        with R.dataflow():
            a = R.exp(w)
            b = R.add(x, a)
            c = R.exp(x)
            t = (b, c)
            d = t[0]
            e = R.multiply(d, c)
            f = R.divide(c, e)
            g = R.split(f, 3, axis=1)
            h = R.nn.silu(g[0])
            i = R.nn.relu(h)
            k = R.add(b, i)
            R.output(k, e)
        return (k, e)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add_inplace(b: T.Buffer((T.int64(2), T.int64(3)), "float32"), i: T.Buffer((T.int64(2), T.int64(1)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(2), T.int64(3)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(b[v_ax0, v_ax1], i[v_ax0, T.int64(0)])
                T.writes(b[v_ax0, v_ax1])
                b[v_ax0, v_ax1] = b[v_ax0, v_ax1] + i[v_ax0, T.int64(0)]

    @T.prim_func(private=True)
    def divide_inplace(c: T.Buffer((T.int64(2), T.int64(3)), "float32"), e: T.Buffer((T.int64(2), T.int64(3)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(2), T.int64(3)):
            with T.block("T_divide"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(c[v_ax0, v_ax1], e[v_ax0, v_ax1])
                T.writes(c[v_ax0, v_ax1])
                c[v_ax0, v_ax1] = c[v_ax0, v_ax1] / e[v_ax0, v_ax1]

    @T.prim_func(private=True)
    def relu_inplace(h: T.Buffer((T.int64(2), T.int64(1)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1 in T.grid(T.int64(2), T.int64(1)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(h[v_i0, v_i1])
                T.writes(h[v_i0, v_i1])
                h[v_i0, v_i1] = T.max(h[v_i0, v_i1], T.float32(0))

    @T.prim_func(private=True)
    def silu_inplace(lv8: T.Buffer((T.int64(2), T.int64(1)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        compute = T.alloc_buffer((T.int64(2), T.int64(1)))
        for i0, i1 in T.grid(T.int64(2), T.int64(1)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(lv8[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.sigmoid(lv8[v_i0, v_i1])
        for ax0, ax1 in T.grid(T.int64(2), T.int64(1)):
            with T.block("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(lv8[v_ax0, v_ax1], compute[v_ax0, v_ax1])
                T.writes(lv8[v_ax0, v_ax1])
                lv8[v_ax0, v_ax1] = lv8[v_ax0, v_ax1] * compute[v_ax0, v_ax1]

    @R.function
    def f2(x: R.Tensor((2, 3), dtype="float32"), w: R.Tensor((1, 3), dtype="float32")) -> R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")):
        cls = Module
        with R.dataflow():
            a: R.Tensor((1, 3), dtype="float32") = R.exp(w)
            b: R.Tensor((2, 3), dtype="float32") = R.add(x, a)
            c: R.Tensor((2, 3), dtype="float32") = R.exp(x)
            t: R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")) = b, c
            d: R.Tensor((2, 3), dtype="float32") = t[0]
            e: R.Tensor((2, 3), dtype="float32") = R.multiply(d, c)
            f: R.Tensor((2, 3), dtype="float32") = R.call_tir_inplace(cls.divide_inplace, (c, e), out_sinfo=R.Tensor((2, 3), dtype="float32"), inplace_indices=[0])
            g: R.Tuple(R.Tensor((2, 1), dtype="float32"), R.Tensor((2, 1), dtype="float32"), R.Tensor((2, 1), dtype="float32")) = R.split(f, indices_or_sections=3, axis=1)
            lv8: R.Tensor((2, 1), dtype="float32") = g[0]
            h: R.Tensor((2, 1), dtype="float32") = R.call_tir_inplace(cls.silu_inplace, (lv8,), out_sinfo=R.Tensor((2, 1), dtype="float32"), inplace_indices=[0])
            i: R.Tensor((2, 1), dtype="float32") = R.call_tir_inplace(cls.relu_inplace, (h,), out_sinfo=R.Tensor((2, 1), dtype="float32"), inplace_indices=[0])
            k: R.Tensor((2, 3), dtype="float32") = R.call_tir_inplace(cls.add_inplace, (b, i), out_sinfo=R.Tensor((2, 3), dtype="float32"), inplace_indices=[0])
            R.output(e, k)
        return (k, e)
