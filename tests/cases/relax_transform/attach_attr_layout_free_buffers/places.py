# pass: relax.AttachAttrLayoutFreeBuffers
# differs from TVM: it is not in TVM 0.17
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("C"):
                vi = T.axis.spatial(4, i)
                C[vi] = A[vi] + B[vi]

    @R.function
    def main(x: R.Tensor((4,), "float32"), w: R.Tensor((4,), "float32")):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.add, (x, w), R.Tensor((4,), "float32"))
            lv1 = R.call_tir(cls.add, (w, lv), R.Tensor((4,), "float32"))
            lv2 = R.call_tir(cls.add, (lv1, w), R.Tensor((4,), "float32"))
            gv = R.call_tir(cls.add, (lv2, lv2), R.Tensor((4,), "float32"))
            R.output(gv)
        return gv

    @R.function
    def other(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.add, (x, R.const([1.0, 2.0, 3.0, 4.0], "float32")), R.Tensor((4,), "float32"))
        return y

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
        # with T.block("root"):
        for i in range(4):
            with T.block("C"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi], B[vi])
                T.writes(C[vi])
                C[vi] = A[vi] + B[vi]

    @T.prim_func(private=True)
    def add1(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
        T.func_attr({"layout_free_buffers": [1]})
        # with T.block("root"):
        for i in range(4):
            with T.block("C"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi], B[vi])
                T.writes(C[vi])
                C[vi] = A[vi] + B[vi]

    @T.prim_func(private=True)
    def add2(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
        T.func_attr({"layout_free_buffers": [0]})
        # with T.block("root"):
        for i in range(4):
            with T.block("C"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi], B[vi])
                T.writes(C[vi])
                C[vi] = A[vi] + B[vi]

    @T.prim_func(private=True)
    def add3(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
        T.func_attr({"layout_free_buffers": []})
        # with T.block("root"):
        for i in range(4):
            with T.block("C"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi], B[vi])
                T.writes(C[vi])
                C[vi] = A[vi] + B[vi]

    @R.function
    def other(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.add1, (x, metadata["relax.expr.Constant"][0]), out_sinfo=R.Tensor((4,), dtype="float32"))
        return y

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), w: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.add1, (x, w), out_sinfo=R.Tensor((4,), dtype="float32"))
            lv1 = R.call_tir(cls.add2, (w, lv), out_sinfo=R.Tensor((4,), dtype="float32"))
            lv2 = R.call_tir(cls.add1, (lv1, w), out_sinfo=R.Tensor((4,), dtype="float32"))
            gv = R.call_tir(cls.add3, (lv2, lv2), out_sinfo=R.Tensor((4,), dtype="float32"))
            R.output(gv)
        return gv

metadata = {
    "relax.expr.Constant": [
        R.const(T.data("float32", [4], "AACAPwAAAEAAAEBAAACAQA==")),
    ],
}
