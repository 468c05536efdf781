# pass: relax.Gradient("main")
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,3),"float32")):
        with R.dataflow():
            x_scp = R.grad.start_checkpoint(x)
            lv1 = R.sin(x_scp)
            lv2 = R.sin(lv1)
            lv3 = R.grad.end_checkpoint(lv2)
            lv4 = R.sin(lv3)
            lv5 = R.grad.start_checkpoint(lv4)
            lv6 = R.sin(lv5)
            lv7 = R.multiply(lv6, lv5)
            lv8 = R.grad.end_checkpoint(lv7)
            lv9 = R.sin(lv8)
            gv = R.sum(lv9)
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
            lv1: R.Tensor((3, 3), dtype="float32") = R.sin(x)
            lv2: R.Tensor((3, 3), dtype="float32") = R.sin(lv1)
            lv4: R.Tensor((3, 3), dtype="float32") = R.sin(lv2)
            lv6: R.Tensor((3, 3), dtype="float32") = R.sin(lv4)
            lv7: R.Tensor((3, 3), dtype="float32") = R.multiply(lv6, lv4)
            lv9: R.Tensor((3, 3), dtype="float32") = R.sin(lv7)
            gv: R.Tensor((), dtype="float32") = R.sum(lv9, axis=None, keepdims=False)
            gv_adjoint: R.Tensor((), dtype="float32") = R.ones(R.shape([]), dtype="float32")
            lv9_adjoint: R.Tensor((3, 3), dtype="float32") = R.broadcast_to(gv_adjoint, R.shape([3, 3]))
            lv6_cp: R.Tensor((3, 3), dtype="float32") = R.sin(lv4)
            lv7_cp: R.Tensor((3, 3), dtype="float32") = R.multiply(lv6_cp, lv4)
            lv: R.Tensor((3, 3), dtype="float32") = R.cos(lv7_cp)
            lv7_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv9_adjoint, lv)
            lv6_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv7_adjoint, lv4)
            lv4_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv7_adjoint, lv6_cp)
            lv1_1: R.Tensor((3, 3), dtype="float32") = R.cos(lv4)
            lv2_1: R.Tensor((3, 3), dtype="float32") = R.multiply(lv6_adjoint, lv1_1)
            lv4_adjoint1: R.Tensor((3, 3), dtype="float32") = R.add(lv4_adjoint, lv2_1)
            lv1_cp: R.Tensor((3, 3), dtype="float32") = R.sin(x)
            lv2_cp: R.Tensor((3, 3), dtype="float32") = R.sin(lv1_cp)
            lv3: R.Tensor((3, 3), dtype="float32") = R.cos(lv2_cp)
            lv2_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv4_adjoint1, lv3)
            lv4_1: R.Tensor((3, 3), dtype="float32") = R.cos(lv1_cp)
            lv1_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv2_adjoint, lv4_1)
            lv5: R.Tensor((3, 3), dtype="float32") = R.cos(x)
            x_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv1_adjoint, lv5)
            x_adjoint_out: R.Tensor((3, 3), dtype="float32") = x_adjoint
            R.output(gv, x_adjoint_out)
        return (gv, (x_adjoint_out,))

    @R.function
    def main(x: R.Tensor((3, 3), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            x_scp: R.Tensor((3, 3), dtype="float32") = R.grad.start_checkpoint(x)
            lv1: R.Tensor((3, 3), dtype="float32") = R.sin(x_scp)
            lv2: R.Tensor((3, 3), dtype="float32") = R.sin(lv1)
            lv3: R.Tensor((3, 3), dtype="float32") = R.grad.end_checkpoint(lv2)
            lv4: R.Tensor((3, 3), dtype="float32") = R.sin(lv3)
            lv5: R.Tensor((3, 3), dtype="float32") = R.grad.start_checkpoint(lv4)
            lv6: R.Tensor((3, 3), dtype="float32") = R.sin(lv5)
            lv7: R.Tensor((3, 3), dtype="float32") = R.multiply(lv6, lv5)
            lv8: R.Tensor((3, 3), dtype="float32") = R.grad.end_checkpoint(lv7)
            lv9: R.Tensor((3, 3), dtype="float32") = R.sin(lv8)
            gv: R.Tensor((), dtype="float32") = R.sum(lv9, axis=None, keepdims=False)
            R.output(gv)
        return gv
