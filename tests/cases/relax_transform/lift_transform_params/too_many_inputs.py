# pass: relax.LiftTransformParams
# differs from TVM: TVM reads behind the parameters
# raises: TooManyRuntimeInputs
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16, 16), "float32"), w1: R.Tensor((16, 16), "float32")):
        R.func_attr({"num_input": 3})
        with R.dataflow():
            s = R.exp(w1)
            R.output(s)
        return s

# after
error[TS4211]: the function main has 2 parameters, but its attribute num_input is 3
