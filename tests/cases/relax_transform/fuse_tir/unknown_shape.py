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
    def fused(x: R.Tensor("float32", ndim=1)):
        R.func_attr({"Primitive": 1})
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.copy, (x,), out_sinfo=R.Tensor((4,), "float32"))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor("float32", ndim=1)):
        cls = Module
        gv = cls.fused(x)
        return gv

# after
error[TS4210]: cannot make the function fused one kernel: its parameter x has no known shape
  --> <text>:11:15
   |
11 |     def fused(x: R.Tensor("float32", ndim=1)):
   |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
hint: remove the attribute Primitive, or run relax.FuseTIR before kernels are lowered
