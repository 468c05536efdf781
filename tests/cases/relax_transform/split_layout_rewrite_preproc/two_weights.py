# pass: relax.SplitLayoutRewritePreproc
# differs from TVM: it is not in TVM 0.17; TVM 0.27 prints the same in its dialect
# Two calls share the kernels; the annotation and `layout_free_buffers` are removed, other attributes stay.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def unused(x: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                x[vi] = T.float32(0)

    @T.prim_func(private=True)
    def dense(x: T.Buffer((4, 8), "float32"), w: T.Buffer((8, 8), "float32"), b: T.Buffer((8,), "float32"), out: T.Buffer((4, 8), "float32")):
        T.func_attr({"layout_free_buffers": [1, 2], "tir.noalias": True})
        product = T.alloc_buffer((4, 8))
        w_packed = T.alloc_buffer((4, 8, 2))
        b_packed = T.alloc_buffer((4, 2))
        for i, j, jj in T.grid(4, 8, 2):
            with T.block("pack"):
                vi, vj, vjj = T.axis.remap("SSS", [i, j, jj])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": True})
                w_packed[vi, vj, vjj] = w[vj, vi * 2 + vjj]
        for i, j, k in T.grid(4, 8, 8):
            with T.block("product"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    product[vi, vj] = T.float32(0)
                product[vi, vj] = product[vi, vj] + x[vi, vk] * w_packed[vj // 2, vk, vj % 2]
        for i, ii in T.grid(4, 2):
            with T.block("pack_b"):
                vi, vii = T.axis.remap("SS", [i, ii])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": 1})
                b_packed[vi, vii] = b[vi * 2 + vii]
        for i, j in T.grid(4, 8):
            with T.block("sum"):
                vi, vj = T.axis.remap("SS", [i, j])
                out[vi, vj] = product[vi, vj] + b_packed[vj // 2, vj % 2]

    @R.function
    def main(x: R.Tensor((4, 8), "float32"), w: R.Tensor((8, 8), "float32"), b: R.Tensor((8,), "float32")):
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.dense, (x, w, b), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            gv = R.call_tir(cls.dense, (lv, w, b), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def dense_prepacked(x: T.Buffer((4, 8), "float32"), w_packed: T.Buffer((4, 8, 2), "float32"), b_packed: T.Buffer((4, 2), "float32"), out: T.Buffer((4, 8), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        product = T.alloc_buffer((4, 8))
        for i, j, k in T.grid(4, 8, 8):
            with T.block("product"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(x[vi, vk], w_packed[vj // 2, vk, vj % 2])
                T.writes(product[vi, vj])
                with T.init():
                    product[vi, vj] = T.float32(0)
                product[vi, vj] = product[vi, vj] + x[vi, vk] * w_packed[vj // 2, vk, vj % 2]
        for i, j in T.grid(4, 8):
            with T.block("sum"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(product[vi, vj], b_packed[vj // 2, vj % 2])
                T.writes(out[vi, vj])
                out[vi, vj] = product[vi, vj] + b_packed[vj // 2, vj % 2]

    @T.prim_func(private=True)
    def dense_weight_prepack(w: T.Buffer((8, 8), "float32"), b: T.Buffer((8,), "float32"), w_packed: T.Buffer((4, 8, 2), "float32"), b_packed: T.Buffer((4, 2), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i, j, jj in T.grid(4, 8, 2):
            with T.block("pack"):
                vi, vj, vjj = T.axis.remap("SSS", [i, j, jj])
                T.reads(w[vj, vi * 2 + vjj])
                T.writes(w_packed[vi, vj, vjj])
                w_packed[vi, vj, vjj] = w[vj, vi * 2 + vjj]
        for i, ii in T.grid(4, 2):
            with T.block("pack_b"):
                vi, vii = T.axis.remap("SS", [i, ii])
                T.reads(b[vi * 2 + vii])
                T.writes(b_packed[vi, vii])
                b_packed[vi, vii] = b[vi * 2 + vii]

    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32"), w: R.Tensor((8, 8), dtype="float32"), b: R.Tensor((8,), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.dense_weight_prepack, (w, b), out_sinfo=[R.Tensor((4, 8, 2), dtype="float32"), R.Tensor((4, 2), dtype="float32")])
            lv1: R.Tensor((4, 8, 2), dtype="float32") = lv[0]
            lv2: R.Tensor((4, 2), dtype="float32") = lv[1]
            lv3 = R.call_tir(cls.dense_prepacked, (x, lv1, lv2), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            lv_1: R.Tensor((4, 8), dtype="float32") = lv3
            lv4 = R.call_tir(cls.dense_weight_prepack, (w, b), out_sinfo=[R.Tensor((4, 8, 2), dtype="float32"), R.Tensor((4, 2), dtype="float32")])
            lv5: R.Tensor((4, 8, 2), dtype="float32") = lv4[0]
            lv6: R.Tensor((4, 2), dtype="float32") = lv4[1]
            lv7 = R.call_tir(cls.dense_prepacked, (lv_1, lv5, lv6), out_sinfo=R.Tensor((4, 8), dtype="float32"))
            gv: R.Tensor((4, 8), dtype="float32") = lv7
            R.output(gv)
        return gv
