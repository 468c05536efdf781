# pass: relax.KillAfterLastUse
# A call that ends a lifetime is no output of the block.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.sin(a)
            c = R.cos(b)
            R.output(c)
        return c

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((4,), dtype="float32") = R.exp(x)
            b: R.Tensor((4,), dtype="float32") = R.sin(a)
            R.memory.kill_tensor(a)
            c: R.Tensor((4,), dtype="float32") = R.cos(b)
            R.memory.kill_tensor(b)
            R.output(c)
        return c
