# pass: relax.Gradient("main")
# raises: NotDifferentiable
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,3),"float32")):
        gv0 = R.exp(x)
        gv = R.sum(gv0)
        return gv

# after
error[TS1207]: cannot differentiate the function: a block is no dataflow block
