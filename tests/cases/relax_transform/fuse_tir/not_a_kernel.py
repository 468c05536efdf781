# pass: relax.FuseTIR
# raises: CannotFuseKernels
@I.ir_module
class Module:
    @R.function(private=True)
    def fused(x: R.Tensor((4, 8), "float32")):
        R.func_attr({"Primitive": 1})
        with R.dataflow():
            lv = R.exp(x)
            gv = R.exp(lv)
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        cls = Module
        gv = cls.fused(x)
        return gv

# after
error[TS4210]: cannot make the function fused one kernel: it makes a call that is no call of a kernel
 --> <text>:7:18
  |
7 |             lv = R.exp(x)
  |                  ^^^^^^^^
hint: remove the attribute Primitive, or run relax.FuseTIR before kernels are lowered
