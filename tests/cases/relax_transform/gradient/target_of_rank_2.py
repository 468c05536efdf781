# pass: relax.Gradient("main")
# raises: NotDifferentiable
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,3),"float32")):
        with R.dataflow():
            gv0 = R.exp(x)
            R.output(gv0)
        return gv0

# after
error[TS1207]: cannot differentiate gv0: it is no float scalar but R.Tensor((3, 3), dtype="float32")
 --> <text>:6:13
  |
6 |             gv0 = R.exp(x)
  |             ^^^
