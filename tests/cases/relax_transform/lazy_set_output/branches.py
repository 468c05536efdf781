# pass: relax.LazySetOutput
@I.ir_module
class Module:
    @R.function
    def main(w1: R.Tensor((16, 16), "float32"), c: R.Tensor((), "bool")):
        if c:
            b = R.exp(w1)
        else:
            b = R.add(w1, w1)
        d = R.exp(b)
        return (b, (d, w1))

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(w1: R.Tensor((16, 16), dtype="float32"), c: R.Tensor((), dtype="bool"), fset_output: R.Callable((R.Prim("int64"), R.Object), R.Tuple, True)) -> R.Tuple:
        if c:
            b_then: R.Tensor((16, 16), dtype="float32") = R.exp(w1)
            b: R.Tensor((16, 16), dtype="float32") = b_then
        else:
            b_else: R.Tensor((16, 16), dtype="float32") = R.add(w1, w1)
            b: R.Tensor((16, 16), dtype="float32") = b_else
        fset_output(R.prim_value(0), b)
        d: R.Tensor((16, 16), dtype="float32") = R.exp(b)
        fset_output(R.prim_value(1), (d, w1))
        return R.tuple()
