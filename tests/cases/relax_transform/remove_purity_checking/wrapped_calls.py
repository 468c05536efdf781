# pass: relax.RemovePurityChecking
@I.ir_module
class Module:

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = R.call_pure_packed("f.e", x, sinfo_args=R.Tensor((4,), "float32"))
        z = R.call_inplace_packed("f.i", y, inplace_indices=0, sinfo_args=R.Tensor((4,), "float32"))
        return z

    @R.function(pure=False)
    def impure(x: R.Tensor((4,), "float32")):
        y = R.call_pure_packed("f.e", x, sinfo_args=R.Tensor((4,), "float32"))
        return y

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def impure(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        y: R.Tensor((4,), dtype="float32") = R.call_packed("f.e", x, sinfo_args=(R.Tensor((4,), dtype="float32"),))
        return y

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        R.func_attr({"relax.force_pure": 1})
        y: R.Tensor((4,), dtype="float32") = R.call_packed("f.e", x, sinfo_args=(R.Tensor((4,), dtype="float32"),))
        z: R.Tensor((4,), dtype="float32") = R.call_packed("f.i", y, sinfo_args=(R.Tensor((4,), dtype="float32"),))
        return z
