# pass: relax.DecomposeOpsForInference
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), "int64"), y: R.Tensor((24,), "float32")):
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
    def main(x: R.Tensor((3,), dtype="int64"), y: R.Tensor((24,), dtype="float32")) -> R.Tensor(dtype="float32", ndim=3):
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
