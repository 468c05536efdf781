# pass: relax.Gradient("main")
# raises: NotDifferentiable
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(ndim=2, dtype="float32"), y: R.Tensor((3,), "float32")):
        with R.dataflow():
            lv = R.match_cast(x, R.Tensor((3,3), "float32"))
            lv0 = R.multiply(lv, y)
            gv0 = R.sum(lv0)
            R.output(gv0)
        return gv0

# after
error[TS1207]: cannot differentiate the function: it has a match_cast
 --> <text>:6:13
  |
6 |             lv = R.match_cast(x, R.Tensor((3,3), "float32"))
  |             ^^
