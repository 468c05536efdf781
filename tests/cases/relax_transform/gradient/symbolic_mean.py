# pass: relax.Gradient("main")
# differs from TVM: the number of elements has to be constant
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n","m"), "float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            lv0 = R.mean(x, axis=[0])
            lv1 = R.exp(lv0)
            gv0 = R.sum(lv1)
            R.output(gv0)
        return gv0

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_adjoint(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tuple(R.Tensor(("n", "m"), dtype="float32"))):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            lv0: R.Tensor((m,), dtype="float32") = R.mean(x, axis=[0], keepdims=False)
            lv1: R.Tensor((m,), dtype="float32") = R.exp(lv0)
            gv0: R.Tensor((), dtype="float32") = R.sum(lv1, axis=None, keepdims=False)
            gv0_adjoint: R.Tensor((), dtype="float32") = R.ones(R.shape([]), dtype="float32")
            lv1_adjoint: R.Tensor((m,), dtype="float32") = R.broadcast_to(gv0_adjoint, R.shape([m]))
            lv0_adjoint: R.Tensor((m,), dtype="float32") = R.multiply(lv1_adjoint, lv1)
            lv: R.Tensor((m,), dtype="float32") = R.divide(lv0_adjoint, R.prim_value(T.Cast("float32", n)))
            lv1_1: R.Tensor((1, m), dtype="float32") = R.expand_dims(lv, axis=[0])
            x_adjoint: R.Tensor((n, m), dtype="float32") = R.broadcast_to(lv1_1, R.shape([n, m]))
            x_adjoint_out: R.Tensor((n, m), dtype="float32") = x_adjoint
            R.output(gv0, x_adjoint_out)
        return (gv0, (x_adjoint_out,))

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tensor((), dtype="float32"):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            lv0: R.Tensor((m,), dtype="float32") = R.mean(x, axis=[0], keepdims=False)
            lv1: R.Tensor((m,), dtype="float32") = R.exp(lv0)
            gv0: R.Tensor((), dtype="float32") = R.sum(lv1, axis=None, keepdims=False)
            R.output(gv0)
        return gv0
