# pass: relax.SplitLayoutRewritePreproc
# differs from TVM: it is not in TVM 0.17
# Kernels that use the old layout too, change a change, or have two new layouts of a weight; or symbolic sizes.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def old_layout(w: T.Buffer((4, 8), "float32"), out: T.Buffer((8, 4), "float32")):
        w_packed = T.alloc_buffer((8, 4))
        for i, j in T.grid(8, 4):
            with T.block("pack"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": True})
                w_packed[vi, vj] = w[vj, vi]
        for i, j in T.grid(8, 4):
            with T.block("out"):
                vi, vj = T.axis.remap("SS", [i, j])
                out[vi, vj] = w_packed[vi, vj] + w[vj, vi]

    @T.prim_func(private=True)
    def change_of_a_change(w: T.Buffer((4, 8), "float32"), out: T.Buffer((8, 4), "float32")):
        w_packed = T.alloc_buffer((8, 4))
        again = T.alloc_buffer((8, 4))
        for i, j in T.grid(8, 4):
            with T.block("pack"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": True})
                w_packed[vi, vj] = w[vj, vi]
        for i, j in T.grid(8, 4):
            with T.block("pack_again"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": True})
                again[vi, vj] = w_packed[vi, 3 - vj]
        for i, j in T.grid(8, 4):
            with T.block("out"):
                vi, vj = T.axis.remap("SS", [i, j])
                out[vi, vj] = again[vi, vj]

    @T.prim_func(private=True)
    def two_layouts(w: T.Buffer((4, 8), "float32"), out: T.Buffer((8, 4), "float32")):
        w_packed = T.alloc_buffer((8, 4))
        again = T.alloc_buffer((8, 4))
        for i, j in T.grid(8, 4):
            with T.block("pack"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": True})
                w_packed[vi, vj] = w[vj, vi]
        for i, j in T.grid(8, 4):
            with T.block("pack_other"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": True})
                again[vi, vj] = w[3 - vj, vi]
        for i, j in T.grid(8, 4):
            with T.block("out"):
                vi, vj = T.axis.remap("SS", [i, j])
                out[vi, vj] = w_packed[vi, vj] + again[vi, vj]

    @T.prim_func(private=True)
    def no_layout_block(w: T.Buffer((4, 8), "float32"), out: T.Buffer((8, 4), "float32")):
        w_packed = T.alloc_buffer((8, 4))
        for i, j in T.grid(8, 4):
            with T.block("pack"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": False})
                w_packed[vi, vj] = w[vj, vi]
        for i, j in T.grid(8, 4):
            with T.block("out"):
                vi, vj = T.axis.remap("SS", [i, j])
                out[vi, vj] = w_packed[vi, vj]

    @T.prim_func(private=True)
    def symbolic(a: T.handle, b: T.handle):
        n = T.int64()
        w = T.match_buffer(a, (n,))
        out = T.match_buffer(b, (n,))
        w_packed = T.alloc_buffer((n,))
        for i in range(n):
            with T.block("pack"):
                vi = T.axis.spatial(n, i)
                T.block_attr({"meta_schedule.layout_rewrite_preproc": True})
                w_packed[vi] = w[n - 1 - vi]
        for i in range(n):
            with T.block("out"):
                vi = T.axis.spatial(n, i)
                out[vi] = w_packed[vi]

    @R.function
    def main(w: R.Tensor((4, 8), "float32"), v: R.Tensor(("n",), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            y0 = R.call_tir(cls.old_layout, (w,), out_sinfo=R.Tensor((8, 4), dtype="float32"))
            y1 = R.call_tir(cls.change_of_a_change, (w,), out_sinfo=R.Tensor((8, 4), dtype="float32"))
            y2 = R.call_tir(cls.two_layouts, (w,), out_sinfo=R.Tensor((8, 4), dtype="float32"))
            y3 = R.call_tir(cls.no_layout_block, (w,), out_sinfo=R.Tensor((8, 4), dtype="float32"))
            y4 = R.call_tir(cls.symbolic, (v,), out_sinfo=R.Tensor((n,), dtype="float32"))
            gv = (y0, y1, y2, y3, y4)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def change_of_a_change(w: T.Buffer((4, 8), "float32"), out: T.Buffer((8, 4), "float32")):
        # with T.block("root"):
        w_packed = T.alloc_buffer((8, 4))
        again = T.alloc_buffer((8, 4))
        for i, j in T.grid(8, 4):
            with T.block("pack"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(w[vj, vi])
                T.writes(w_packed[vi, vj])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": T.bool(True)})
                w_packed[vi, vj] = w[vj, vi]
        for i, j in T.grid(8, 4):
            with T.block("pack_again"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(w_packed[vi, 3 - vj])
                T.writes(again[vi, vj])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": T.bool(True)})
                again[vi, vj] = w_packed[vi, 3 - vj]
        for i, j in T.grid(8, 4):
            with T.block("out"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(again[vi, vj])
                T.writes(out[vi, vj])
                out[vi, vj] = again[vi, vj]

    @T.prim_func(private=True)
    def no_layout_block(w: T.Buffer((4, 8), "float32"), out: T.Buffer((8, 4), "float32")):
        # with T.block("root"):
        w_packed = T.alloc_buffer((8, 4))
        for i, j in T.grid(8, 4):
            with T.block("pack"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(w[vj, vi])
                T.writes(w_packed[vi, vj])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": T.bool(False)})
                w_packed[vi, vj] = w[vj, vi]
        for i, j in T.grid(8, 4):
            with T.block("out"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(w_packed[vi, vj])
                T.writes(out[vi, vj])
                out[vi, vj] = w_packed[vi, vj]

    @T.prim_func(private=True)
    def old_layout(w: T.Buffer((4, 8), "float32"), out: T.Buffer((8, 4), "float32")):
        # with T.block("root"):
        w_packed = T.alloc_buffer((8, 4))
        for i, j in T.grid(8, 4):
            with T.block("pack"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(w[vj, vi])
                T.writes(w_packed[vi, vj])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": T.bool(True)})
                w_packed[vi, vj] = w[vj, vi]
        for i, j in T.grid(8, 4):
            with T.block("out"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(w_packed[vi, vj], w[vj, vi])
                T.writes(out[vi, vj])
                out[vi, vj] = w_packed[vi, vj] + w[vj, vi]

    @T.prim_func(private=True)
    def symbolic(a: T.handle, b: T.handle):
        n = T.int64()
        w = T.match_buffer(a, (n,))
        out = T.match_buffer(b, (n,))
        # with T.block("root"):
        w_packed = T.alloc_buffer((n,))
        for i in range(n):
            with T.block("pack"):
                vi = T.axis.spatial(n, i)
                T.reads(w[n - T.int64(1) - vi])
                T.writes(w_packed[vi])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": T.bool(True)})
                w_packed[vi] = w[n - T.int64(1) - vi]
        for i in range(n):
            with T.block("out"):
                vi = T.axis.spatial(n, i)
                T.reads(w_packed[vi])
                T.writes(out[vi])
                out[vi] = w_packed[vi]

    @T.prim_func(private=True)
    def two_layouts(w: T.Buffer((4, 8), "float32"), out: T.Buffer((8, 4), "float32")):
        # with T.block("root"):
        w_packed = T.alloc_buffer((8, 4))
        again = T.alloc_buffer((8, 4))
        for i, j in T.grid(8, 4):
            with T.block("pack"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(w[vj, vi])
                T.writes(w_packed[vi, vj])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": T.bool(True)})
                w_packed[vi, vj] = w[vj, vi]
        for i, j in T.grid(8, 4):
            with T.block("pack_other"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(w[3 - vj, vi])
                T.writes(again[vi, vj])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": T.bool(True)})
                again[vi, vj] = w[3 - vj, vi]
        for i, j in T.grid(8, 4):
            with T.block("out"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(w_packed[vi, vj], again[vi, vj])
                T.writes(out[vi, vj])
                out[vi, vj] = w_packed[vi, vj] + again[vi, vj]

    @R.function
    def main(w: R.Tensor((4, 8), dtype="float32"), v: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Tensor((8, 4), dtype="float32"), R.Tensor((8, 4), dtype="float32"), R.Tensor((8, 4), dtype="float32"), R.Tensor((8, 4), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            y0 = R.call_tir(cls.old_layout, (w,), out_sinfo=R.Tensor((8, 4), dtype="float32"))
            y1 = R.call_tir(cls.change_of_a_change, (w,), out_sinfo=R.Tensor((8, 4), dtype="float32"))
            y2 = R.call_tir(cls.two_layouts, (w,), out_sinfo=R.Tensor((8, 4), dtype="float32"))
            y3 = R.call_tir(cls.no_layout_block, (w,), out_sinfo=R.Tensor((8, 4), dtype="float32"))
            y4 = R.call_tir(cls.symbolic, (v,), out_sinfo=R.Tensor((n,), dtype="float32"))
            gv: R.Tuple(R.Tensor((8, 4), dtype="float32"), R.Tensor((8, 4), dtype="float32"), R.Tensor((8, 4), dtype="float32"), R.Tensor((8, 4), dtype="float32"), R.Tensor((n,), dtype="float32")) = y0, y1, y2, y3, y4
            R.output(gv)
        return gv
