# pass: relax.Gradient("main")
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((6,3),"float32")):
        with R.dataflow():
            lv = R.split(x, 2)
            lv1 = lv[0]
            lv2 = lv[1]
            lv3 = R.add(lv1, lv2)
            lv4 = R.add(lv1, lv3)
            gv = R.sum(lv4)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_adjoint(x: R.Tensor((6, 3), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tuple(R.Tensor((6, 3), dtype="float32"))):
        with R.dataflow():
            lv: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = R.split(x, indices_or_sections=2, axis=0)
            lv1: R.Tensor((3, 3), dtype="float32") = lv[0]
            lv2: R.Tensor((3, 3), dtype="float32") = lv[1]
            lv3: R.Tensor((3, 3), dtype="float32") = R.add(lv1, lv2)
            lv4: R.Tensor((3, 3), dtype="float32") = R.add(lv1, lv3)
            gv: R.Tensor((), dtype="float32") = R.sum(lv4, axis=None, keepdims=False)
            gv_adjoint: R.Tensor((), dtype="float32") = R.ones(R.shape([]), dtype="float32")
            lv4_adjoint: R.Tensor((3, 3), dtype="float32") = R.broadcast_to(gv_adjoint, R.shape([3, 3]))
            lv1_adjoint: R.Tensor((3, 3), dtype="float32") = lv4_adjoint
            lv3_adjoint: R.Tensor((3, 3), dtype="float32") = lv4_adjoint
            lv1_adjoint1: R.Tensor((3, 3), dtype="float32") = R.add(lv1_adjoint, lv3_adjoint)
            lv2_adjoint: R.Tensor((3, 3), dtype="float32") = lv3_adjoint
            lv_1: R.Tensor((3, 3), dtype="float32") = R.zeros(R.shape([3, 3]), dtype="float32")
            lv_adjoint: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = lv_1, lv2_adjoint
            lv1_1: R.Tensor((3, 3), dtype="float32") = lv_adjoint[0]
            lv2_1: R.Tensor((3, 3), dtype="float32") = R.add(lv1_1, lv1_adjoint1)
            lv3_1: R.Tensor((3, 3), dtype="float32") = lv_adjoint[1]
            lv_adjoint1: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = lv2_1, lv3_1
            x_adjoint: R.Tensor((6, 3), dtype="float32") = R.concat(lv_adjoint1, axis=0)
            x_adjoint_out: R.Tensor((6, 3), dtype="float32") = x_adjoint
            R.output(gv, x_adjoint_out)
        return (gv, (x_adjoint_out,))

    @R.function
    def main(x: R.Tensor((6, 3), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = R.split(x, indices_or_sections=2, axis=0)
            lv1: R.Tensor((3, 3), dtype="float32") = lv[0]
            lv2: R.Tensor((3, 3), dtype="float32") = lv[1]
            lv3: R.Tensor((3, 3), dtype="float32") = R.add(lv1, lv2)
            lv4: R.Tensor((3, 3), dtype="float32") = R.add(lv1, lv3)
            gv: R.Tensor((), dtype="float32") = R.sum(lv4, axis=None, keepdims=False)
            R.output(gv)
        return gv
