# pass: relax.Gradient("main")
# raises: NotDifferentiable
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,3),"float32")):
        with R.dataflow():
            lv = R.tan(x)
            gv0 = R.sum(lv)
            R.output(gv0)
        return gv0

# after
error[TS1207]: cannot differentiate R.tan: it has no gradient
 --> <text>:6:18
  |
6 |             lv = R.tan(x)
  |                  ^^^^^^^^
