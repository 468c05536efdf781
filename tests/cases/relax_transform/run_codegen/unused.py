# pass: relax.RunCodegen
# what is not used is removed, also where no function has a code generator
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def k(a: T.Buffer((3,), "float32")):
        T.evaluate(0)
    @T.prim_func
    def k2(a: T.Buffer((3,), "float32")):
        T.evaluate(0)
    @R.function(private=True)
    def unused(x: R.Tensor((3,), "float32")):
        return x
    @R.function
    def public(x: R.Tensor((3,), "float32")):
        return x
    @R.function(private=True)
    def used(x: R.Tensor((3,), "float32")):
        y = R.exp(x)
        return y
    @R.function
    def main(x: R.Tensor((3,), "float32")):
        cls = Module
        dead = R.sin(x)
        with R.dataflow():
            dead2 = R.sin(x)
            z = cls.used(x)
            R.output(z)
        return z

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func
    def k2(a: T.Buffer((3,), "float32")):
        T.evaluate(0)

    @R.function
    def public(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        return x

    @R.function(private=True)
    def used(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        y: R.Tensor((3,), dtype="float32") = R.exp(x)
        return y

    @R.function
    def main(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        cls = Module
        with R.dataflow():
            z: R.Tensor((3,), dtype="float32") = cls.used(x)
            R.output(z)
        return z
