# pass: relax.Gradient("main", target_index=1)
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,3),"float32"), y: R.Tensor((3,3),"float32")):
        with R.dataflow():
            lv = R.exp(x)
            gv0 = R.multiply(lv, y)
            gv = R.sum(lv)
            R.output(gv0, gv)
        return (gv0, gv)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_adjoint(x: R.Tensor((3, 3), dtype="float32"), y: R.Tensor((3, 3), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((), dtype="float32")), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"))):
        with R.dataflow():
            lv: R.Tensor((3, 3), dtype="float32") = R.exp(x)
            gv0: R.Tensor((3, 3), dtype="float32") = R.multiply(lv, y)
            gv: R.Tensor((), dtype="float32") = R.sum(lv, axis=None, keepdims=False)
            gv_adjoint: R.Tensor((), dtype="float32") = R.ones(R.shape([]), dtype="float32")
            lv_adjoint: R.Tensor((3, 3), dtype="float32") = R.broadcast_to(gv_adjoint, R.shape([3, 3]))
            x_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv_adjoint, lv)
            x_adjoint_out: R.Tensor((3, 3), dtype="float32") = x_adjoint
            y_adjoint: R.Tensor((3, 3), dtype="float32") = R.zeros(R.shape([3, 3]), dtype="float32")
            y_adjoint_out: R.Tensor((3, 3), dtype="float32") = y_adjoint
            R.output(gv0, gv, x_adjoint_out, y_adjoint_out)
        return ((gv0, gv), (x_adjoint_out, y_adjoint_out))

    @R.function
    def main(x: R.Tensor((3, 3), dtype="float32"), y: R.Tensor((3, 3), dtype="float32")) -> R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((3, 3), dtype="float32") = R.exp(x)
            gv0: R.Tensor((3, 3), dtype="float32") = R.multiply(lv, y)
            gv: R.Tensor((), dtype="float32") = R.sum(lv, axis=None, keepdims=False)
            R.output(gv0, gv)
        return (gv0, gv)
