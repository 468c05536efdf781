# pass: relax.Gradient("main", target_index=2)
# raises: NotDifferentiable
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,3),"float32")):
        with R.dataflow():
            gv0 = R.sum(x)
            R.output(gv0)
        return (gv0, x)

# after
error[TS1207]: cannot differentiate result 2: the function has 2 results
