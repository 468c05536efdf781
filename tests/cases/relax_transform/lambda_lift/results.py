# pass: relax.LambdaLift
# differs from TVM: it keeps the annotation of a result that is a closure now
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        @R.function
        def inner(b: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            s = R.add(x, b)
            return s
        return inner
    @R.function
    def other(x: R.Tensor((4,), "float32")):
        @R.function
        def inner(b: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            s = R.exp(b)
            return s
        f = inner
        t = (f, x)
        return t

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def main_inner(b: R.Tensor((4,), dtype="float32"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        s: R.Tensor((4,), dtype="float32") = R.add(x, b)
        return s

    @R.function
    def other(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True), R.Tensor((4,), dtype="float32")):
        cls = Module
        f: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True) = cls.other_inner
        t: R.Tuple(R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True), R.Tensor((4,), dtype="float32")) = f, x
        return t

    @R.function(private=True)
    def other_inner(b: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        s: R.Tensor((4,), dtype="float32") = R.exp(b)
        return s

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Object:
        cls = Module
        inner: R.Object = R.make_closure(cls.main_inner, (x,))
        return inner
