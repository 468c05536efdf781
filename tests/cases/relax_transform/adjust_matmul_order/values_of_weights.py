# pass: relax.AdjustMatmulOrder
# differs from TVM: of values that are computed at compile time it knows weights alone
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), w: R.Tensor((8, 8), "float32")):
        R.func_attr({"num_input": 1})
        v = R.exp(w)
        y = R.matmul(x, w)
        z = R.matmul(y, v)
        return z

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32"), w: R.Tensor((8, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        R.func_attr({"num_input": 1})
        v: R.Tensor((8, 8), dtype="float32") = R.exp(w)
        gv: R.Tensor((8, 8), dtype="float32") = R.matmul(w, v, out_dtype="void")
        z: R.Tensor((4, 8), dtype="float32") = R.matmul(x, gv, out_dtype="void")
        return z
