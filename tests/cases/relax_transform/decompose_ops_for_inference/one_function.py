# pass: relax.DecomposeOpsForInference("other")
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4, 3, 3), "float32"), gamma: R.Tensor((4,), "float32"), beta: R.Tensor((4,), "float32"), mean: R.Tensor((4,), "float32"), var: R.Tensor((4,), "float32")):
        with R.dataflow():
            bn = R.nn.batch_norm(x, gamma, beta, mean, var, axis=1, epsilon=1e-5, center=True, scale=True)
            gv = bn[0]
            R.output(gv)
        return gv

    @R.function
    def other(x: R.Tensor((2, 4), "float32"), gamma: R.Tensor((4,), "float32"), beta: R.Tensor((4,), "float32"), mean: R.Tensor((4,), "float32"), var: R.Tensor((4,), "float32")):
        bn = R.nn.batch_norm(x, gamma, beta, mean, var, axis=1, center=False, scale=False)
        return bn

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def other(x: R.Tensor((2, 4), dtype="float32"), gamma: R.Tensor((4,), dtype="float32"), beta: R.Tensor((4,), dtype="float32"), mean: R.Tensor((4,), dtype="float32"), var: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
        gv: R.Tensor((1, 4), dtype="float32") = R.expand_dims(mean, axis=[0])
        gv1: R.Tensor((2, 4), dtype="float32") = R.subtract(x, gv)
        gv2: R.Tensor((1, 4), dtype="float32") = R.expand_dims(var, axis=[0])
        gv3: R.Tensor((1, 4), dtype="float32") = R.add(gv2, R.const(9.9999997473787516e-06, "float32"))
        gv4: R.Tensor((1, 4), dtype="float32") = R.sqrt(gv3)
        gv5: R.Tensor((2, 4), dtype="float32") = R.divide(gv1, gv4)
        bn: R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = gv5, mean, var
        return bn

    @R.function
    def main(x: R.Tensor((2, 4, 3, 3), dtype="float32"), gamma: R.Tensor((4,), dtype="float32"), beta: R.Tensor((4,), dtype="float32"), mean: R.Tensor((4,), dtype="float32"), var: R.Tensor((4,), dtype="float32")) -> R.Tensor((2, 4, 3, 3), dtype="float32"):
        with R.dataflow():
            bn: R.Tuple(R.Tensor((2, 4, 3, 3), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = R.nn.batch_norm(x, gamma, beta, mean, var, axis=1, epsilon=1.0000000000000001e-05, center=True, scale=True, momentum=0.10000000000000001)
            gv: R.Tensor((2, 4, 3, 3), dtype="float32") = bn[0]
            R.output(gv)
        return gv
