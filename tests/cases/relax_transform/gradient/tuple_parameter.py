# pass: relax.Gradient("main")
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tuple(R.Tensor((3,3),"float32"),R.Tensor((3,3),"float32")), y: R.Tensor((3,3),"float32")):
        with R.dataflow():
            lv = x[0]
            lv1 = x[1]
            lv2 = R.multiply(lv, lv1)
            lv3 = R.add(lv2, y)
            gv = R.sum(lv3)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_adjoint(x: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")), y: R.Tensor((3, 3), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tuple(R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")), R.Tensor((3, 3), dtype="float32"))):
        with R.dataflow():
            lv: R.Tensor((3, 3), dtype="float32") = x[0]
            lv1: R.Tensor((3, 3), dtype="float32") = x[1]
            lv2: R.Tensor((3, 3), dtype="float32") = R.multiply(lv, lv1)
            lv3: R.Tensor((3, 3), dtype="float32") = R.add(lv2, y)
            gv: R.Tensor((), dtype="float32") = R.sum(lv3, axis=None, keepdims=False)
            gv_adjoint: R.Tensor((), dtype="float32") = R.ones(R.shape([]), dtype="float32")
            lv3_adjoint: R.Tensor((3, 3), dtype="float32") = R.broadcast_to(gv_adjoint, R.shape([3, 3]))
            lv2_adjoint: R.Tensor((3, 3), dtype="float32") = lv3_adjoint
            y_adjoint: R.Tensor((3, 3), dtype="float32") = lv3_adjoint
            lv_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv2_adjoint, lv1)
            lv1_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv2_adjoint, lv)
            lv_1: R.Tensor((3, 3), dtype="float32") = R.zeros(R.shape([3, 3]), dtype="float32")
            x_adjoint: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = lv_1, lv1_adjoint
            lv1_1: R.Tensor((3, 3), dtype="float32") = x_adjoint[0]
            lv2_1: R.Tensor((3, 3), dtype="float32") = R.add(lv1_1, lv_adjoint)
            lv3_1: R.Tensor((3, 3), dtype="float32") = x_adjoint[1]
            x_adjoint1: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = lv2_1, lv3_1
            x_adjoint_out: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = x_adjoint1
            y_adjoint_out: R.Tensor((3, 3), dtype="float32") = y_adjoint
            R.output(gv, x_adjoint_out, y_adjoint_out)
        return (gv, (x_adjoint_out, y_adjoint_out))

    @R.function
    def main(x: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")), y: R.Tensor((3, 3), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((3, 3), dtype="float32") = x[0]
            lv1: R.Tensor((3, 3), dtype="float32") = x[1]
            lv2: R.Tensor((3, 3), dtype="float32") = R.multiply(lv, lv1)
            lv3: R.Tensor((3, 3), dtype="float32") = R.add(lv2, y)
            gv: R.Tensor((), dtype="float32") = R.sum(lv3, axis=None, keepdims=False)
            R.output(gv)
        return gv
