# pass: relax.LambdaLift
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        k = R.exp(x)
        @R.function
        def inner(b: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            s = R.add(k, b)
            return s
        z = inner(y)
        w = inner(z)
        return w

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def main_inner(b: R.Tensor((4,), dtype="float32"), k: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        s: R.Tensor((4,), dtype="float32") = R.add(k, b)
        return s

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        k: R.Tensor((4,), dtype="float32") = R.exp(x)
        inner: R.Object = R.make_closure(cls.main_inner, (k,))
        z: R.Tensor((4,), dtype="float32") = R.invoke_pure_closure(inner, (y,), sinfo_args=(R.Tensor((4,), dtype="float32"),))
        w: R.Tensor((4,), dtype="float32") = R.invoke_pure_closure(inner, (z,), sinfo_args=(R.Tensor((4,), dtype="float32"),))
        return w
