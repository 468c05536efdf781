# pass: relax.DecomposeOpsForTraining
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4, 3, 3), "float32"), gamma: R.Tensor((4,), "float32"), beta: R.Tensor((4,), "float32"), mean: R.Tensor((4,), "float32"), var: R.Tensor((4,), "float32")):
        with R.dataflow():
            bn = R.nn.batch_norm(x, gamma, beta, mean, var, axis=1, epsilon=1e-5, center=True, scale=True, momentum=0.1)
            ln = R.nn.layer_norm(x, R.ones((3,), "float32"), R.zeros((3,), "float32"), axes=[-1])
            gv = bn
            R.output(gv, ln)
        return (gv, ln)

    @R.function
    def shaped(x: R.Tensor((3,), "int64"), y: R.Tensor((24,), "float32")):
        with R.dataflow():
            lv: R.Shape(ndim=3) = R.tensor_to_shape(x)
            gv: R.Tensor(ndim=3, dtype="float32") = R.reshape(y, lv)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def shaped(x: R.Tensor((3,), dtype="int64"), y: R.Tensor((24,), dtype="float32")) -> R.Tensor(dtype="float32", ndim=3):
        x_1 = T.int64()
        x_2 = T.int64()
        x_3 = T.int64()
        with R.dataflow():
            lv: R.Shape(ndim=3) = R.call_pure_packed("vm.builtin.tensor_to_shape", x, sinfo_args=(R.Shape(ndim=3),))
            y_1: R.Shape([x_1, x_2, x_3]) = R.match_cast(lv, R.Shape([x_1, x_2, x_3]))
            lv_1: R.Shape([x_1, x_2, x_3]) = R.shape([x_1, x_2, x_3])
            gv: R.Tensor((x_1, x_2, x_3), dtype="float32") = R.reshape(y, lv_1)
            R.output(y_1, gv)
        return gv

    @R.function
    def main(x: R.Tensor((2, 4, 3, 3), dtype="float32"), gamma: R.Tensor((4,), dtype="float32"), beta: R.Tensor((4,), dtype="float32"), mean: R.Tensor((4,), dtype="float32"), var: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor((2, 4, 3, 3), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")), R.Tensor((2, 4, 3, 3), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((4,), dtype="float32") = R.mean(x, axis=[0, 2, 3], keepdims=False)
            lv1: R.Tensor((4,), dtype="float32") = R.variance(x, axis=[0, 2, 3], keepdims=False)
            lv_1: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(lv, axis=[0, 2, 3])
            lv1_1: R.Tensor((2, 4, 3, 3), dtype="float32") = R.subtract(x, lv_1)
            lv2: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(lv1, axis=[0, 2, 3])
            lv3: R.Tensor((1, 4, 1, 1), dtype="float32") = R.add(lv2, R.const(9.9999997473787516e-06, "float32"))
            lv4: R.Tensor((1, 4, 1, 1), dtype="float32") = R.sqrt(lv3)
            lv5: R.Tensor((2, 4, 3, 3), dtype="float32") = R.divide(lv1_1, lv4)
            lv6: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(gamma, axis=[0, 2, 3])
            lv7: R.Tensor((2, 4, 3, 3), dtype="float32") = R.multiply(lv5, lv6)
            lv8: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(beta, axis=[0, 2, 3])
            lv9: R.Tensor((2, 4, 3, 3), dtype="float32") = R.add(lv7, lv8)
            lv2_1: R.Tuple(R.Tensor((2, 4, 3, 3), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = lv9, lv, lv1
            lv3_1: R.Tensor((2, 4, 3, 3), dtype="float32") = lv2_1[0]
            lv4_1: R.Tensor((4,), dtype="float32") = R.multiply(R.const(0.89999997615814209, "float32"), mean)
            lv5_1: R.Tensor((4,), dtype="float32") = R.multiply(R.const(0.10000000149011612, "float32"), lv)
            lv6_1: R.Tensor((4,), dtype="float32") = R.add(lv4_1, lv5_1)
            lv7_1: R.Tensor((4,), dtype="float32") = R.multiply(R.const(0.89999997615814209, "float32"), var)
            lv8_1: R.Tensor((4,), dtype="float32") = R.multiply(R.const(0.10000000149011612, "float32"), lv1)
            lv9_1: R.Tensor((4,), dtype="float32") = R.add(lv7_1, lv8_1)
            bn: R.Tuple(R.Tensor((2, 4, 3, 3), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = lv3_1, lv6_1, lv9_1
            lv1_2: R.Tensor((3,), dtype="float32") = R.ones(R.shape([3]), dtype="float32")
            lv2_2: R.Tensor((3,), dtype="float32") = R.zeros(R.shape([3]), dtype="float32")
            lv10: R.Tensor((2, 4, 3, 1), dtype="float32") = R.mean(x, axis=[-1], keepdims=True)
            lv11: R.Tensor((2, 4, 3, 3), dtype="float32") = R.subtract(x, lv10)
            lv12: R.Tensor((2, 4, 3, 1), dtype="float32") = R.variance(x, axis=[-1], keepdims=True)
            lv13: R.Tensor((2, 4, 3, 1), dtype="float32") = R.add(lv12, R.const(9.9999997473787516e-06, "float32"))
            lv14: R.Tensor((2, 4, 3, 1), dtype="float32") = R.sqrt(lv13)
            lv15: R.Tensor((2, 4, 3, 3), dtype="float32") = R.divide(lv11, lv14)
            lv16: R.Tensor((2, 4, 3, 3), dtype="float32") = R.multiply(lv15, lv1_2)
            ln: R.Tensor((2, 4, 3, 3), dtype="float32") = R.add(lv16, lv2_2)
            gv: R.Tuple(R.Tensor((2, 4, 3, 3), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = bn
            R.output(ln, gv)
        return (gv, ln)
