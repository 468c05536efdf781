# pass: relax.Gradient("main")
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n","m"), "float32"), y: R.Tensor(("m",), "float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            lv0 = R.multiply(x, y)
            lv1 = R.reshape(lv0, R.shape([n*m]))
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
    def main_adjoint(x: R.Tensor(("n", "m"), dtype="float32"), y: R.Tensor(("m",), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tuple(R.Tensor(("n", "m"), dtype="float32"), R.Tensor(("m",), dtype="float32"))):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            lv0: R.Tensor((n, m), dtype="float32") = R.multiply(x, y)
            lv1: R.Tensor((n * m,), dtype="float32") = R.reshape(lv0, R.shape([n * m]))
            gv0: R.Tensor((), dtype="float32") = R.sum(lv1, axis=None, keepdims=False)
            gv0_adjoint: R.Tensor((), dtype="float32") = R.ones(R.shape([]), dtype="float32")
            lv1_adjoint: R.Tensor((n * m,), dtype="float32") = R.broadcast_to(gv0_adjoint, R.shape([n * m]))
            lv0_adjoint: R.Tensor((n, m), dtype="float32") = R.reshape(lv1_adjoint, R.shape([n, m]))
            x_adjoint: R.Tensor((n, m), dtype="float32") = R.multiply(lv0_adjoint, y)
            lv: R.Tensor((n, m), dtype="float32") = R.multiply(lv0_adjoint, x)
            y_adjoint: R.Tensor((m,), dtype="float32") = R.collapse_sum_to(lv, R.shape([m]))
            x_adjoint_out: R.Tensor((n, m), dtype="float32") = x_adjoint
            y_adjoint_out: R.Tensor((m,), dtype="float32") = y_adjoint
            R.output(gv0, x_adjoint_out, y_adjoint_out)
        return (gv0, (x_adjoint_out, y_adjoint_out))

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32"), y: R.Tensor(("m",), dtype="float32")) -> R.Tensor((), dtype="float32"):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            lv0: R.Tensor((n, m), dtype="float32") = R.multiply(x, y)
            lv1: R.Tensor((n * m,), dtype="float32") = R.reshape(lv0, R.shape([n * m]))
            gv0: R.Tensor((), dtype="float32") = R.sum(lv1, axis=None, keepdims=False)
            R.output(gv0)
        return gv0
