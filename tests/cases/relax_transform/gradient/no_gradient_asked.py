# pass: relax.Gradient("main")
# differs from TVM: no_grad has no gradient in its build
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,3),"float32"), y: R.Tensor((3,3),"float32")):
        with R.dataflow():
            lv = R.add(x, y)
            lv1 = R.grad.no_grad(lv)
            lv2 = R.multiply(lv1, y)
            gv = R.sum(lv2)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_adjoint(x: R.Tensor((3, 3), dtype="float32"), y: R.Tensor((3, 3), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"))):
        with R.dataflow():
            lv: R.Tensor((3, 3), dtype="float32") = R.add(x, y)
            lv1: R.Tensor((3, 3), dtype="float32") = R.grad.no_grad(lv)
            lv2: R.Tensor((3, 3), dtype="float32") = R.multiply(lv1, y)
            gv: R.Tensor((), dtype="float32") = R.sum(lv2, axis=None, keepdims=False)
            gv_adjoint: R.Tensor((), dtype="float32") = R.ones(R.shape([]), dtype="float32")
            lv2_adjoint: R.Tensor((3, 3), dtype="float32") = R.broadcast_to(gv_adjoint, R.shape([3, 3]))
            y_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv2_adjoint, lv1)
            x_adjoint: R.Tensor((3, 3), dtype="float32") = R.zeros(R.shape([3, 3]), dtype="float32")
            x_adjoint_out: R.Tensor((3, 3), dtype="float32") = x_adjoint
            y_adjoint_out: R.Tensor((3, 3), dtype="float32") = y_adjoint
            R.output(gv, x_adjoint_out, y_adjoint_out)
        return (gv, (x_adjoint_out, y_adjoint_out))

    @R.function
    def main(x: R.Tensor((3, 3), dtype="float32"), y: R.Tensor((3, 3), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((3, 3), dtype="float32") = R.add(x, y)
            lv1: R.Tensor((3, 3), dtype="float32") = R.grad.no_grad(lv)
            lv2: R.Tensor((3, 3), dtype="float32") = R.multiply(lv1, y)
            gv: R.Tensor((), dtype="float32") = R.sum(lv2, axis=None, keepdims=False)
            R.output(gv)
        return gv
