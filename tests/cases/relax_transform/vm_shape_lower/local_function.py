# pass: relax.VMShapeLower
# raises: NotLoweredBefore
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        @R.function
        def inner(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
            return a
        y = inner(x)
        return y

# after
error[TS4230]: relax.VMShapeLower cannot lower a local function: run relax.LambdaLift before
 --> <text>:6:9
  |
6 |         def inner(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
  |         ^^^^^^^^^
