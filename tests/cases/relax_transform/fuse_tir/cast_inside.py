# pass: relax.FuseTIR
# raises: CannotFuseKernels
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def copy(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            with T.block("copy"):
                vi = T.axis.spatial(T.int64(4), i)
                y[vi] = x[vi]

    @R.function(private=True)
    def fused(x: R.Tensor((4,), "float32")):
        n = T.int64()
        R.func_attr({"Primitive": 1})
        cls = Module
        with R.dataflow():
            lv = R.match_cast(x, R.Tensor((n,), "float32"))
            gv = R.call_tir(cls.copy, (lv,), out_sinfo=R.Tensor((4,), "float32"))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        gv = cls.fused(x)
        return gv

# after
error[TS4210]: cannot make the function fused one kernel: it binds lv to something other than the call of a kernel
  --> <text>:16:13
   |
16 |             lv = R.match_cast(x, R.Tensor((n,), "float32"))
   |             ^^
hint: remove the attribute Primitive, or run relax.FuseTIR before kernels are lowered
