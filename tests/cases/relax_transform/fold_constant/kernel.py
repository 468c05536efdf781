# pass: relax.FoldConstant
# A call of a kernel on constants is computed, and what uses its result with it.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def addone(A: T.Buffer((2,), "float32"), B: T.Buffer((2,), "float32")):
        for i in range(2):
            with T.block("B"):
                vi = T.axis.spatial(2, i)
                B[vi] = A[vi] + T.float32(1)

    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Module
        with R.dataflow():
            lv0 = R.call_tir(cls.addone, (R.const([1.5, 2.5], "float32"),), out_sinfo=R.Tensor((2,), "float32"))
            lv1 = R.call_tir(cls.addone, (lv0,), out_sinfo=R.Tensor((2,), "float32"))
            lv2 = R.call_tir(cls.addone, (x,), out_sinfo=R.Tensor((2,), "float32"))
            gv = R.add(lv1, lv2)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def addone(A: T.Buffer((2,), "float32"), B: T.Buffer((2,), "float32")):
        # with T.block("root"):
        for i in range(2):
            with T.block("B"):
                vi = T.axis.spatial(2, i)
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = A[vi] + T.float32(1)

    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        cls = Module
        with R.dataflow():
            lv2 = R.call_tir(cls.addone, (x,), out_sinfo=R.Tensor((2,), dtype="float32"))
            gv: R.Tensor((2,), dtype="float32") = R.add(metadata["relax.expr.Constant"][0], lv2)
            R.output(gv)
        return gv

metadata = {
    "relax.expr.Constant": [
        R.const(T.data("float32", [2], "AABgQAAAkEA=")),
    ],
}
