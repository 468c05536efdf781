# pass: relax.LiftTransformParams(shared_transform=True)
# raises: DifferentWeights
@I.ir_module
class Module:
    @R.function
    def f1(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, 16), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            t = R.exp(w1)
            y = R.matmul(x, t)
            R.output(y)
        return y
    @R.function
    def f2(x: R.Tensor((4, 16), "float32"), v1: R.Tensor((16, 8), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            t1 = R.exp(v1)
            y = R.matmul(x, t1)
            R.output(y)
        return y

# after
error[TS4212]: f1 and f2 cannot share a transformation of weights: their weights have different struct info
hint: give the functions the attribute num_input and weights of the same struct info, in the same order
