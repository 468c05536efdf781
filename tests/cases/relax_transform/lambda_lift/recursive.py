# pass: relax.LambdaLift
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), "int32")):
        @R.function
        def loop(i: R.Tensor((), "int32")) -> R.Tensor((), "int32"):
            c = R.less(i, R.const(10, "int32"))
            if c:
                i2 = R.add(i, R.const(1, "int32"))
                r = loop(i2)
            else:
                r = i
            return r
        g = loop(x)
        return g

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def main_loop(i: R.Tensor((), dtype="int32")) -> R.Tensor((), dtype="int32"):
        cls = Module
        c: R.Tensor((), dtype="bool") = R.less(i, R.const(10, "int32"))
        if c:
            i2: R.Tensor((), dtype="int32") = R.add(i, R.const(1, "int32"))
            r_then: R.Tensor((), dtype="int32") = cls.main_loop(i2)
            r: R.Tensor((), dtype="int32") = r_then
        else:
            r: R.Tensor((), dtype="int32") = i
        return r

    @R.function
    def main(x: R.Tensor((), dtype="int32")) -> R.Tensor((), dtype="int32"):
        cls = Module
        g: R.Tensor((), dtype="int32") = cls.main_loop(x)
        return g
