# pass: relax.LambdaLift
# differs from TVM: it calls an impure closure as a pure one
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        @R.function(pure=False)
        def show(a: R.Tensor((n, 4), "float32")) -> R.Tensor((n, 4), "float32"):
            _ = R.print(a, format="{}")
            b = R.add(a, x)
            return b
        @R.function
        def twice(a: R.Tensor((n, 4), "float32")) -> R.Tensor((n, 4), "float32"):
            b = R.add(a, a)
            return b
        z = show(y)
        w = twice(z)
        return w

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False, private=True)
    def main_show(a: R.Tensor(("n", 4), dtype="float32"), x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        R.print(a, format=R.str("{}"))
        b: R.Tensor((n, 4), dtype="float32") = R.add(a, x)
        return b

    @R.function(private=True)
    def main_twice(a: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        b: R.Tensor((n, 4), dtype="float32") = R.add(a, a)
        return b

    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        cls = Module
        show: R.Object = R.make_closure(cls.main_show, (x,))
        z: R.Tensor((n, 4), dtype="float32") = R.invoke_closure(show, (y,), sinfo_args=(R.Tensor((n, 4), dtype="float32"),))
        w: R.Tensor((n, 4), dtype="float32") = cls.main_twice(z)
        return w
