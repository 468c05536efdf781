# pass: relax.LambdaLift
# differs from TVM: it passes on variables that it has removed
@I.ir_module
class Module:
    @R.function
    def main_inner(x: R.Tensor((4,), "float32")):
        return x
    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        @R.function
        def inner(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            b = R.add(a, a)
            return b
        @R.function
        def outer(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            R.func_attr({"mark": 1})
            b = inner(a)
            c = R.add(b, y)
            return c
        if R.less(R.const(1), R.const(2)):
            @R.function
            def third(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                b = outer(a)
                return b
            z = third(x)
        else:
            z = inner(x)
        w = outer(z)
        return w

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_inner(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        return x

    @R.function(private=True)
    def main_inner_0(a: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        b: R.Tensor((4,), dtype="float32") = R.add(a, a)
        return b

    @R.function(private=True)
    def main_outer(a: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        R.func_attr({"mark": 1})
        cls = Module
        b: R.Tensor((4,), dtype="float32") = cls.main_inner_0(a)
        c: R.Tensor((4,), dtype="float32") = R.add(b, y)
        return c

    @R.function(private=True)
    def main_third(a: R.Tensor((4,), dtype="float32"), outer: R.Object) -> R.Tensor((4,), dtype="float32"):
        b: R.Tensor((4,), dtype="float32") = R.invoke_pure_closure(outer, (a,), sinfo_args=(R.Tensor((4,), dtype="float32"),))
        return b

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        outer: R.Object = R.make_closure(cls.main_outer, (y,))
        gv5: R.Tensor((), dtype="bool") = R.less(R.const(1, "int32"), R.const(2, "int32"))
        if gv5:
            third: R.Object = R.make_closure(cls.main_third, (outer,))
            z_then: R.Tensor((4,), dtype="float32") = R.invoke_pure_closure(third, (x,), sinfo_args=(R.Tensor((4,), dtype="float32"),))
            z: R.Tensor((4,), dtype="float32") = z_then
        else:
            z_else: R.Tensor((4,), dtype="float32") = cls.main_inner_0(x)
            z: R.Tensor((4,), dtype="float32") = z_else
        w: R.Tensor((4,), dtype="float32") = R.invoke_pure_closure(outer, (z,), sinfo_args=(R.Tensor((4,), dtype="float32"),))
        return w
