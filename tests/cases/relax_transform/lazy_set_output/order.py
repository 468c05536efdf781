# pass: relax.LazySetOutput
@I.ir_module
class Module:
    @R.function
    def transform_params(w1: R.Tensor((16, "n"), "float32"), w2: R.Tensor((16, 16), "float32")):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            a = R.exp(w1)
            t = R.exp(a)
            u = R.exp(w2)
            b = R.add(u, w2)
            c = (a, b)
            R.output(t, a, b)
        return (t, b, w1, b, R.const(1, "float32"))

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def transform_params(w1: R.Tensor((16, "n"), dtype="float32"), fset_output: R.Callable((R.Prim("int64"), R.Object), R.Tuple, True), w2: R.Tensor((16, 16), dtype="float32")) -> R.Tuple:
        n = T.int64()
        R.func_attr({"num_input": 2})
        fset_output(R.prim_value(2), w1)
        with R.dataflow():
            a: R.Tensor((16, n), dtype="float32") = R.exp(w1)
            t: R.Tensor((16, n), dtype="float32") = R.exp(a)
            fset_output(R.prim_value(0), t)
            u: R.Tensor((16, 16), dtype="float32") = R.exp(w2)
            b: R.Tensor((16, 16), dtype="float32") = R.add(u, w2)
            fset_output(R.prim_value(1), b)
            fset_output(R.prim_value(3), b)
            c: R.Tuple(R.Tensor((16, n), dtype="float32"), R.Tensor((16, 16), dtype="float32")) = a, b
            R.output(a, t, b)
        fset_output(R.prim_value(4), R.const(1, "float32"))
        return R.tuple()
