# pass: relax.InlinePrivateFunctions
@I.ir_module
class Module:
    @R.function(private=True)
    def loop(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Module
        y: R.Tensor((2,), "float32") = cls.loop(x)
        return y

    @R.function(private=True)
    def twice(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.add(x, x)
        return y

    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Module
        a: R.Tensor((2,), "float32") = cls.twice(x)
        b: R.Tensor((2,), "float32") = cls.twice(a)
        c: R.Tensor((2,), "float32") = cls.loop(b)
        return c

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def loop(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        cls = Module
        y: R.Tensor((2,), dtype="float32") = cls.loop(x)
        return y

    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        cls = Module
        y: R.Tensor((2,), dtype="float32") = R.add(x, x)
        y_1: R.Tensor((2,), dtype="float32") = R.add(y, y)
        c: R.Tensor((2,), dtype="float32") = cls.loop(y_1)
        return c
