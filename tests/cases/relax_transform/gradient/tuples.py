# pass: relax.Gradient("main")
# Gradients of tuples are tuples, zero where an item is not used.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,3),"float32"), y: R.Tensor((3,3),"float32")):
        with R.dataflow():
            lv = (x, (y, x))
            lv1 = lv
            lv2 = lv1[1]
            lv3 = (lv2, lv1)
            lv4 = lv3[1]
            lv5 = lv4[0]
            lv6 = lv2[0]
            lv7 = R.add(lv5, lv6)
            gv = R.sum(lv7)
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
            lv: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"))) = x, (y, x)
            lv1: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"))) = lv
            lv2: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = lv1[1]
            lv3: R.Tuple(R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")))) = lv2, lv1
            lv4: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"))) = lv3[1]
            lv5: R.Tensor((3, 3), dtype="float32") = lv4[0]
            lv6: R.Tensor((3, 3), dtype="float32") = lv2[0]
            lv7: R.Tensor((3, 3), dtype="float32") = R.add(lv5, lv6)
            gv: R.Tensor((), dtype="float32") = R.sum(lv7, axis=None, keepdims=False)
            gv_adjoint: R.Tensor((), dtype="float32") = R.ones(R.shape([]), dtype="float32")
            lv7_adjoint: R.Tensor((3, 3), dtype="float32") = R.broadcast_to(gv_adjoint, R.shape([3, 3]))
            lv5_adjoint: R.Tensor((3, 3), dtype="float32") = lv7_adjoint
            lv6_adjoint: R.Tensor((3, 3), dtype="float32") = lv7_adjoint
            lv_1: R.Tensor((3, 3), dtype="float32") = R.zeros(R.shape([3, 3]), dtype="float32")
            lv2_adjoint: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = lv6_adjoint, lv_1
            lv1_1: R.Tensor((3, 3), dtype="float32") = R.zeros(R.shape([3, 3]), dtype="float32")
            lv2_1: R.Tensor((3, 3), dtype="float32") = R.zeros(R.shape([3, 3]), dtype="float32")
            lv4_adjoint: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"))) = lv5_adjoint, (lv1_1, lv2_1)
            lv3_1: R.Tensor((3, 3), dtype="float32") = R.zeros(R.shape([3, 3]), dtype="float32")
            lv4_1: R.Tensor((3, 3), dtype="float32") = R.zeros(R.shape([3, 3]), dtype="float32")
            lv3_adjoint: R.Tuple(R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")))) = (lv3_1, lv4_1), lv4_adjoint
            lv5_1: R.Tensor((3, 3), dtype="float32") = lv2_adjoint[0]
            lv6_1: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = lv3_adjoint[0]
            lv7_1: R.Tensor((3, 3), dtype="float32") = lv6_1[0]
            lv8: R.Tensor((3, 3), dtype="float32") = R.add(lv5_1, lv7_1)
            lv9: R.Tensor((3, 3), dtype="float32") = lv2_adjoint[1]
            lv10: R.Tensor((3, 3), dtype="float32") = lv6_1[1]
            lv11: R.Tensor((3, 3), dtype="float32") = R.add(lv9, lv10)
            lv2_adjoint1: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = lv8, lv11
            lv1_adjoint: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"))) = lv3_adjoint[1]
            lv12: R.Tensor((3, 3), dtype="float32") = lv1_adjoint[0]
            lv13: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = lv1_adjoint[1]
            lv14: R.Tensor((3, 3), dtype="float32") = lv13[0]
            lv15: R.Tensor((3, 3), dtype="float32") = lv2_adjoint1[0]
            lv16: R.Tensor((3, 3), dtype="float32") = R.add(lv14, lv15)
            lv17: R.Tensor((3, 3), dtype="float32") = lv13[1]
            lv18: R.Tensor((3, 3), dtype="float32") = lv2_adjoint1[1]
            lv19: R.Tensor((3, 3), dtype="float32") = R.add(lv17, lv18)
            lv1_adjoint1: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"))) = lv12, (lv16, lv19)
            lv_adjoint: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"))) = lv1_adjoint1
            x_adjoint: R.Tensor((3, 3), dtype="float32") = lv_adjoint[0]
            lv20: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = lv_adjoint[1]
            y_adjoint: R.Tensor((3, 3), dtype="float32") = lv20[0]
            lv21: R.Tensor((3, 3), dtype="float32") = lv20[1]
            x_adjoint1: R.Tensor((3, 3), dtype="float32") = R.add(x_adjoint, lv21)
            x_adjoint_out: R.Tensor((3, 3), dtype="float32") = x_adjoint1
            y_adjoint_out: R.Tensor((3, 3), dtype="float32") = y_adjoint
            R.output(gv, x_adjoint_out, y_adjoint_out)
        return (gv, (x_adjoint_out, y_adjoint_out))

    @R.function
    def main(x: R.Tensor((3, 3), dtype="float32"), y: R.Tensor((3, 3), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"))) = x, (y, x)
            lv1: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"))) = lv
            lv2: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = lv1[1]
            lv3: R.Tuple(R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")))) = lv2, lv1
            lv4: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"))) = lv3[1]
            lv5: R.Tensor((3, 3), dtype="float32") = lv4[0]
            lv6: R.Tensor((3, 3), dtype="float32") = lv2[0]
            lv7: R.Tensor((3, 3), dtype="float32") = R.add(lv5, lv6)
            gv: R.Tensor((), dtype="float32") = R.sum(lv7, axis=None, keepdims=False)
            R.output(gv)
        return gv
