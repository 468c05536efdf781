# pass: relax.Gradient("main")
# raises: NotDifferentiable
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(ndim=2, dtype="float32"), y: R.Tensor((3,), "float32")):
        with R.dataflow():
            lv0 = R.multiply(x, y)
            gv0 = R.sum(lv0)
            R.output(gv0)
        return gv0

# after
error[TS1207]: cannot differentiate R.sum: the shape of an argument is unknown: R.Tensor(dtype="float32", ndim=2)
