# pass: relax.LambdaLift
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((), "int32")):
        @R.function
        def loop(i: R.Tensor((), "int32"), s: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
            c = R.less(i, y)
            if c:
                i2 = R.add(i, R.const(1, "int32"))
                s2 = R.add(s, x)
                r = loop(i2, s2)
            else:
                r = s
            return r
        g = loop(R.const(0, "int32"), x)
        return g

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def main_loop(i: R.Tensor((), dtype="int32"), s: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((), dtype="int32"), x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        cls = Module
        c: R.Tensor((), dtype="bool") = R.less(i, y)
        if c:
            i2: R.Tensor((), dtype="int32") = R.add(i, R.const(1, "int32"))
            s2: R.Tensor((2, 3), dtype="float32") = R.add(s, x)
            r_then: R.Tensor((2, 3), dtype="float32") = cls.main_loop(i2, s2, y, x)
            r: R.Tensor((2, 3), dtype="float32") = r_then
        else:
            r: R.Tensor((2, 3), dtype="float32") = s
        return r

    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((), dtype="int32")) -> R.Tensor((2, 3), dtype="float32"):
        cls = Module
        loop: R.Object = R.make_closure(cls.main_loop, (y, x))
        g: R.Tensor((2, 3), dtype="float32") = R.invoke_pure_closure(loop, (R.const(0, "int32"), x), sinfo_args=(R.Tensor((2, 3), dtype="float32"),))
        return g
