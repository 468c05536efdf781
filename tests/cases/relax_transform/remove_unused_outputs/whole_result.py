# pass: relax.RemoveUnusedOutputs
# differs from TVM: TVM drops fields of results that are also used as a whole
@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((2, 3), "float32")) -> R.Tuple(R.Tensor((2, 3), "float32"), R.Tensor((2, 3), "float32")):
        a = R.exp(x)
        b = R.sin(a)
        o = (a, b)
        return o

    @R.function(private=True)
    def whole(x: R.Tensor((2, 3), "float32")) -> R.Tuple(R.Tensor((2, 3), "float32"), R.Tensor((2, 3), "float32")):
        a = R.exp(x)
        return (a, x)

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        cls = Module
        q = cls.f(x)
        q1 = q[1]
        r = cls.whole(x)
        r1 = r[0]
        return (q1, r)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        a: R.Tensor((2, 3), dtype="float32") = R.exp(x)
        b: R.Tensor((2, 3), dtype="float32") = R.sin(a)
        return b

    @R.function(private=True)
    def whole(x: R.Tensor((2, 3), dtype="float32")) -> R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")):
        a: R.Tensor((2, 3), dtype="float32") = R.exp(x)
        return (a, x)

    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"))):
        cls = Module
        gv: R.Tensor((2, 3), dtype="float32") = cls.f(x)
        r: R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")) = cls.whole(x)
        return (gv, r)
