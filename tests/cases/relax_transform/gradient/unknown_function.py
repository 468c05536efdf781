# pass: relax.Gradient("other")
# raises: UnknownName
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,3),"float32")):
        with R.dataflow():
            gv0 = R.sum(x)
            R.output(gv0)
        return gv0

# after
error[TS1008]: there is no graph function named other
