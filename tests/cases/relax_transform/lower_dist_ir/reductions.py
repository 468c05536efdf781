# pass: relax.distributed.LowerDistIR
# starts from: lower_global_view_to_local_view/reductions.py

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(private=True)
    def max(b: T.Buffer((T.int64(8), T.int64(16)), "float32"), b_red: T.Buffer((T.int64(1), T.int64(16)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1, k0 in T.grid(T.int64(1), T.int64(16), T.int64(8)):
            with T.block("b_red"):
                v_ax0, v_ax1, v_k0 = T.axis.remap("SSR", [ax0, ax1, k0])
                T.reads(b[v_k0, v_ax1])
                T.writes(b_red[v_ax0, v_ax1])
                with T.init():
                    b_red[v_ax0, v_ax1] = T.float32(-3.4028234663852886e+38)
                b_red[v_ax0, v_ax1] = T.max(b_red[v_ax0, v_ax1], b[v_k0, v_ax1])

    @T.prim_func(private=True)
    def max1(b: T.Buffer((T.int64(4), T.int64(16)), "float32"), b_red: T.Buffer((T.int64(1), T.int64(16)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1, k0 in T.grid(T.int64(1), T.int64(16), T.int64(4)):
            with T.block("b_red"):
                v_ax0, v_ax1, v_k0 = T.axis.remap("SSR", [ax0, ax1, k0])
                T.reads(b[v_k0, v_ax1])
                T.writes(b_red[v_ax0, v_ax1])
                with T.init():
                    b_red[v_ax0, v_ax1] = T.float32(-3.4028234663852886e+38)
                b_red[v_ax0, v_ax1] = T.max(b_red[v_ax0, v_ax1], b[v_k0, v_ax1])

    @T.prim_func(private=True)
    def mean(b: T.Buffer((T.int64(8), T.int64(16)), "float32"), T_divide: T.Buffer((T.int64(16),), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        b_red = T.alloc_buffer((T.int64(16),))
        for ax0, k0 in T.grid(T.int64(16), T.int64(8)):
            with T.block("b_red"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(b[v_k0, v_ax0])
                T.writes(b_red[v_ax0])
                with T.init():
                    b_red[v_ax0] = T.float32(0)
                b_red[v_ax0] = b_red[v_ax0] + b[v_k0, v_ax0]
        for ax0 in range(T.int64(16)):
            with T.block("T_divide"):
                v_ax0 = T.axis.spatial(T.int64(16), ax0)
                T.reads(b_red[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = b_red[v_ax0] * T.float32(0.125)

    @T.prim_func(private=True)
    def mean1(b: T.Buffer((T.int64(4), T.int64(16)), "float32"), T_divide: T.Buffer((T.int64(16),), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        b_red = T.alloc_buffer((T.int64(16),))
        for ax0, k0 in T.grid(T.int64(16), T.int64(4)):
            with T.block("b_red"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(b[v_k0, v_ax0])
                T.writes(b_red[v_ax0])
                with T.init():
                    b_red[v_ax0] = T.float32(0)
                b_red[v_ax0] = b_red[v_ax0] + b[v_k0, v_ax0]
        for ax0 in range(T.int64(16)):
            with T.block("T_divide"):
                v_ax0 = T.axis.spatial(T.int64(16), ax0)
                T.reads(b_red[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = b_red[v_ax0] * T.float32(0.125)

    @T.prim_func(private=True)
    def softmax(a: T.Buffer((T.int64(8), T.int64(16)), "float32"), T_softmax_norm: T.Buffer((T.int64(8), T.int64(16)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        T_softmax_maxelem = T.alloc_buffer((T.int64(8),))
        T_softmax_exp = T.alloc_buffer((T.int64(8), T.int64(16)))
        T_softmax_expsum = T.alloc_buffer((T.int64(8),))
        for i0, k in T.grid(T.int64(8), T.int64(16)):
            with T.block("T_softmax_maxelem"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(a[v_i0, v_k])
                T.writes(T_softmax_maxelem[v_i0])
                with T.init():
                    T_softmax_maxelem[v_i0] = T.float32(-3.4028234663852886e+38)
                T_softmax_maxelem[v_i0] = T.max(T_softmax_maxelem[v_i0], a[v_i0, v_k])
        for i0, i1 in T.grid(T.int64(8), T.int64(16)):
            with T.block("T_softmax_exp"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(a[v_i0, v_i1], T_softmax_maxelem[v_i0])
                T.writes(T_softmax_exp[v_i0, v_i1])
                T_softmax_exp[v_i0, v_i1] = T.exp(a[v_i0, v_i1] - T_softmax_maxelem[v_i0])
        for i0, k in T.grid(T.int64(8), T.int64(16)):
            with T.block("T_softmax_expsum"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(T_softmax_exp[v_i0, v_k])
                T.writes(T_softmax_expsum[v_i0])
                with T.init():
                    T_softmax_expsum[v_i0] = T.float32(0)
                T_softmax_expsum[v_i0] = T_softmax_expsum[v_i0] + T_softmax_exp[v_i0, v_k]
        for i0, i1 in T.grid(T.int64(8), T.int64(16)):
            with T.block("T_softmax_norm"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_softmax_exp[v_i0, v_i1], T_softmax_expsum[v_i0])
                T.writes(T_softmax_norm[v_i0, v_i1])
                T.block_attr({"axis": 1})
                T_softmax_norm[v_i0, v_i1] = T_softmax_exp[v_i0, v_i1] / T_softmax_expsum[v_i0]

    @T.prim_func(private=True)
    def softmax1(a: T.Buffer((T.int64(4), T.int64(16)), "float32"), T_softmax_norm: T.Buffer((T.int64(4), T.int64(16)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        T_softmax_maxelem = T.alloc_buffer((T.int64(4),))
        T_softmax_exp = T.alloc_buffer((T.int64(4), T.int64(16)))
        T_softmax_expsum = T.alloc_buffer((T.int64(4),))
        for i0, k in T.grid(T.int64(4), T.int64(16)):
            with T.block("T_softmax_maxelem"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(a[v_i0, v_k])
                T.writes(T_softmax_maxelem[v_i0])
                with T.init():
                    T_softmax_maxelem[v_i0] = T.float32(-3.4028234663852886e+38)
                T_softmax_maxelem[v_i0] = T.max(T_softmax_maxelem[v_i0], a[v_i0, v_k])
        for i0, i1 in T.grid(T.int64(4), T.int64(16)):
            with T.block("T_softmax_exp"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(a[v_i0, v_i1], T_softmax_maxelem[v_i0])
                T.writes(T_softmax_exp[v_i0, v_i1])
                T_softmax_exp[v_i0, v_i1] = T.exp(a[v_i0, v_i1] - T_softmax_maxelem[v_i0])
        for i0, k in T.grid(T.int64(4), T.int64(16)):
            with T.block("T_softmax_expsum"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(T_softmax_exp[v_i0, v_k])
                T.writes(T_softmax_expsum[v_i0])
                with T.init():
                    T_softmax_expsum[v_i0] = T.float32(0)
                T_softmax_expsum[v_i0] = T_softmax_expsum[v_i0] + T_softmax_exp[v_i0, v_k]
        for i0, i1 in T.grid(T.int64(4), T.int64(16)):
            with T.block("T_softmax_norm"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_softmax_exp[v_i0, v_i1], T_softmax_expsum[v_i0])
                T.writes(T_softmax_norm[v_i0, v_i1])
                T.block_attr({"axis": 1})
                T_softmax_norm[v_i0, v_i1] = T_softmax_exp[v_i0, v_i1] / T_softmax_expsum[v_i0]

    @T.prim_func(private=True)
    def sum(b: T.Buffer((T.int64(8), T.int64(16)), "float32"), b_red: T.Buffer((T.int64(8),), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, k1 in T.grid(T.int64(8), T.int64(16)):
            with T.block("b_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(b[v_ax0, v_k1])
                T.writes(b_red[v_ax0])
                with T.init():
                    b_red[v_ax0] = T.float32(0)
                b_red[v_ax0] = b_red[v_ax0] + b[v_ax0, v_k1]

    @T.prim_func(private=True)
    def sum1(b: T.Buffer((T.int64(4), T.int64(16)), "float32"), b_red: T.Buffer((T.int64(4),), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, k1 in T.grid(T.int64(4), T.int64(16)):
            with T.block("b_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(b[v_ax0, v_k1])
                T.writes(b_red[v_ax0])
                with T.init():
                    b_red[v_ax0] = T.float32(0)
                b_red[v_ax0] = b_red[v_ax0] + b[v_ax0, v_k1]

    @R.function
    def main(x: R.Tensor((8, 16), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((16,), dtype="float32"), R.Tensor((1, 16), dtype="float32")):
        cls = Module
        gv: R.Tensor((4, 16), dtype="float32") = R.ccl.scatter_from_worker0(x, num_workers=2, axis=0)
        b = R.call_tir(cls.softmax1, (gv,), out_sinfo=R.Tensor((4, 16), dtype="float32"))
        c = R.call_tir(cls.sum1, (b,), out_sinfo=R.Tensor((4,), dtype="float32"))
        gv_1 = R.call_tir(cls.mean1, (b,), out_sinfo=R.Tensor((16,), dtype="float32"))
        d: R.Tensor((16,), dtype="float32") = R.ccl.allreduce(gv_1, op_type="sum")
        gv1 = R.call_tir(cls.max1, (b,), out_sinfo=R.Tensor((1, 16), dtype="float32"))
        e: R.Tensor((1, 16), dtype="float32") = R.ccl.allreduce(gv1, op_type="max")
        return (c, d, e)
