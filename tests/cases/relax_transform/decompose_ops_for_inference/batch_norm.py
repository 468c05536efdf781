# pass: relax.DecomposeOpsForInference
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4, 3, 3), "float32"), gamma: R.Tensor((4,), "float32"), beta: R.Tensor((4,), "float32"), mean: R.Tensor((4,), "float32"), var: R.Tensor((4,), "float32")):
        with R.dataflow():
            bn = R.nn.batch_norm(x, gamma, beta, mean, var, axis=1, epsilon=1e-5, center=True, scale=True)
            gv = bn[0]
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4, 3, 3), dtype="float32"), gamma: R.Tensor((4,), dtype="float32"), beta: R.Tensor((4,), dtype="float32"), mean: R.Tensor((4,), dtype="float32"), var: R.Tensor((4,), dtype="float32")) -> R.Tensor((2, 4, 3, 3), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(mean, axis=[0, 2, 3])
            lv1: R.Tensor((2, 4, 3, 3), dtype="float32") = R.subtract(x, lv)
            lv2: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(var, axis=[0, 2, 3])
            lv3: R.Tensor((1, 4, 1, 1), dtype="float32") = R.add(lv2, R.const(9.9999997473787516e-06, "float32"))
            lv4: R.Tensor((1, 4, 1, 1), dtype="float32") = R.sqrt(lv3)
            lv5: R.Tensor((2, 4, 3, 3), dtype="float32") = R.divide(lv1, lv4)
            lv6: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(gamma, axis=[0, 2, 3])
            lv7: R.Tensor((2, 4, 3, 3), dtype="float32") = R.multiply(lv5, lv6)
            lv8: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(beta, axis=[0, 2, 3])
            lv9: R.Tensor((2, 4, 3, 3), dtype="float32") = R.add(lv7, lv8)
            bn: R.Tuple(R.Tensor((2, 4, 3, 3), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = lv9, mean, var
            gv: R.Tensor((2, 4, 3, 3), dtype="float32") = bn[0]
            R.output(gv)
        return gv
