# pass: relax.SplitLayoutRewritePreproc
# differs from TVM: it is not in TVM 0.17
# A new layout that is made in the loops of another block stays; another one is made before.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(w: T.Buffer((4, 8), "float32"), v: T.Buffer((4, 8), "float32"), out: T.Buffer((8, 4), "float32")):
        w_packed = T.alloc_buffer((8, 4))
        v_packed = T.alloc_buffer((8, 4))
        for i, j in T.grid(8, 4):
            with T.block("pack"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": True})
                w_packed[vi, vj] = w[vj, vi]
        for i, j in T.grid(8, 4):
            with T.block("pack_v"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": True})
                v_packed[vi, vj] = v[vj, vi]
            with T.block("out"):
                vi, vj = T.axis.remap("SS", [i, j])
                out[vi, vj] = w_packed[vi, vj] + v_packed[vi, vj]

    @R.function
    def main(w: R.Tensor((4, 8), "float32"), v: R.Tensor((4, 8), "float32")):
        cls = Module
        with R.dataflow():
            out = R.call_tir(cls.kernel, (w, v), out_sinfo=R.Tensor((8, 4), "float32"))
            R.output(out)
        return out

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel_prepacked(w_packed: T.Buffer((8, 4), "float32"), v: T.Buffer((4, 8), "float32"), out: T.Buffer((8, 4), "float32")):
        # with T.block("root"):
        v_packed = T.alloc_buffer((8, 4))
        for i, j in T.grid(8, 4):
            with T.block("pack_v"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(v[vj, vi])
                T.writes(v_packed[vi, vj])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": T.bool(True)})
                v_packed[vi, vj] = v[vj, vi]
            with T.block("out"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(w_packed[vi, vj], v_packed[vi, vj])
                T.writes(out[vi, vj])
                out[vi, vj] = w_packed[vi, vj] + v_packed[vi, vj]

    @T.prim_func(private=True)
    def kernel_weight_prepack(w: T.Buffer((4, 8), "float32"), w_packed: T.Buffer((8, 4), "float32")):
        # with T.block("root"):
        for i, j in T.grid(8, 4):
            with T.block("pack"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(w[vj, vi])
                T.writes(w_packed[vi, vj])
                w_packed[vi, vj] = w[vj, vi]

    @R.function
    def main(w: R.Tensor((4, 8), dtype="float32"), v: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((8, 4), dtype="float32"):
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.kernel_weight_prepack, (w,), out_sinfo=R.Tensor((8, 4), dtype="float32"))
            lv1 = R.call_tir(cls.kernel_prepacked, (lv, v), out_sinfo=R.Tensor((8, 4), dtype="float32"))
            out: R.Tensor((8, 4), dtype="float32") = lv1
            R.output(out)
        return out
