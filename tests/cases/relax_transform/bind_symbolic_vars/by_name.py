# pass: relax.BindSymbolicVars({"n": 4})
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        y = R.add(R.exp(x), x)
        return y

    @R.function(private=True)
    def private(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        y = R.exp(x)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def private(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        y: R.Tensor((4,), dtype="float32") = R.exp(x)
        return y

    @R.function
    def main(x: R.Tensor((4, "m"), dtype="float32")) -> R.Tensor((4, "m"), dtype="float32"):
        m = T.int64()
        gv: R.Tensor((4, m), dtype="float32") = R.exp(x)
        y: R.Tensor((4, m), dtype="float32") = R.add(gv, x)
        return y
