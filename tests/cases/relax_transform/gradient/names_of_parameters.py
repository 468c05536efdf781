# pass: relax.Gradient("main", require_grads=["y"])
# differs from TVM: takes variables, not names
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,3),"float32"), y: R.Tensor((3,3),"float32")):
        with R.dataflow():
            lv = R.exp(x)
            lv0 = R.multiply(lv, y)
            gv = R.sum(lv0)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_adjoint(x: R.Tensor((3, 3), dtype="float32"), y: R.Tensor((3, 3), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"))):
        with R.dataflow():
            lv: R.Tensor((3, 3), dtype="float32") = R.exp(x)
            lv0: R.Tensor((3, 3), dtype="float32") = R.multiply(lv, y)
            gv: R.Tensor((), dtype="float32") = R.sum(lv0, axis=None, keepdims=False)
            gv_adjoint: R.Tensor((), dtype="float32") = R.ones(R.shape([]), dtype="float32")
            lv0_adjoint: R.Tensor((3, 3), dtype="float32") = R.broadcast_to(gv_adjoint, R.shape([3, 3]))
            y_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv0_adjoint, lv)
            y_adjoint_out: R.Tensor((3, 3), dtype="float32") = y_adjoint
            R.output(gv, y_adjoint_out)
        return (gv, (y_adjoint_out,))

    @R.function
    def main(x: R.Tensor((3, 3), dtype="float32"), y: R.Tensor((3, 3), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((3, 3), dtype="float32") = R.exp(x)
            lv0: R.Tensor((3, 3), dtype="float32") = R.multiply(lv, y)
            gv: R.Tensor((), dtype="float32") = R.sum(lv0, axis=None, keepdims=False)
            R.output(gv)
        return gv
