# pass: relax.LiftTransformParams(shared_transform=["f1"])
# raises: DifferentWeights
@I.ir_module
class Module:
    @R.function
    def f1(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, 16), "float32")):
        with R.dataflow():
            t = R.exp(w1)
            y = R.matmul(x, t)
            R.output(y)
        return y

# after
error[TS4212]: f1 and f1 cannot share a transformation of weights: f1 has no attribute num_input
hint: give the functions the attribute num_input and weights of the same struct info, in the same order
