# pass: relax.Gradient("main")
# The gradients of several uses are added.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,3),"float32")):
        with R.dataflow():
            lv = R.exp(x)
            lv1 = R.add(lv, lv)
            lv2 = R.multiply(lv1, lv)
            lv3 = R.sin(lv1)
            lv4 = R.add(lv2, lv3)
            gv = R.sum(lv4)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_adjoint(x: R.Tensor((3, 3), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"))):
        with R.dataflow():
            lv: R.Tensor((3, 3), dtype="float32") = R.exp(x)
            lv1: R.Tensor((3, 3), dtype="float32") = R.add(lv, lv)
            lv2: R.Tensor((3, 3), dtype="float32") = R.multiply(lv1, lv)
            lv3: R.Tensor((3, 3), dtype="float32") = R.sin(lv1)
            lv4: R.Tensor((3, 3), dtype="float32") = R.add(lv2, lv3)
            gv: R.Tensor((), dtype="float32") = R.sum(lv4, axis=None, keepdims=False)
            gv_adjoint: R.Tensor((), dtype="float32") = R.ones(R.shape([]), dtype="float32")
            lv4_adjoint: R.Tensor((3, 3), dtype="float32") = R.broadcast_to(gv_adjoint, R.shape([3, 3]))
            lv2_adjoint: R.Tensor((3, 3), dtype="float32") = lv4_adjoint
            lv3_adjoint: R.Tensor((3, 3), dtype="float32") = lv4_adjoint
            lv_1: R.Tensor((3, 3), dtype="float32") = R.cos(lv1)
            lv1_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv3_adjoint, lv_1)
            lv1_1: R.Tensor((3, 3), dtype="float32") = R.multiply(lv2_adjoint, lv)
            lv1_adjoint1: R.Tensor((3, 3), dtype="float32") = R.add(lv1_adjoint, lv1_1)
            lv_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv2_adjoint, lv1)
            lv_adjoint1: R.Tensor((3, 3), dtype="float32") = R.add(lv_adjoint, lv1_adjoint1)
            lv_adjoint2: R.Tensor((3, 3), dtype="float32") = R.add(lv_adjoint1, lv1_adjoint1)
            x_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv_adjoint2, lv)
            x_adjoint_out: R.Tensor((3, 3), dtype="float32") = x_adjoint
            R.output(gv, x_adjoint_out)
        return (gv, (x_adjoint_out,))

    @R.function
    def main(x: R.Tensor((3, 3), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((3, 3), dtype="float32") = R.exp(x)
            lv1: R.Tensor((3, 3), dtype="float32") = R.add(lv, lv)
            lv2: R.Tensor((3, 3), dtype="float32") = R.multiply(lv1, lv)
            lv3: R.Tensor((3, 3), dtype="float32") = R.sin(lv1)
            lv4: R.Tensor((3, 3), dtype="float32") = R.add(lv2, lv3)
            gv: R.Tensor((), dtype="float32") = R.sum(lv4, axis=None, keepdims=False)
            R.output(gv)
        return gv
