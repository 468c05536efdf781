# pass: relax.LazyGetInput
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, "k"), "float32"), w2: R.Tensor((16, "m"), "float32"), un: R.Tensor((4,), "float32")):
        k = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            t = R.exp(w1)
            t2 = R.add(w1, w1)
            u = R.concat((t, w2), axis=1)
            z = R.zeros((k,), "float32")
            y = R.matmul(x, u)
            R.output(y, z)
        w1_a = R.exp(w1)
        return (y, z, w2)
    @R.function
    def f2(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, "k"), "float32")):
        return w1
    @R.function(private=True)
    def f3(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, "k"), "float32")):
        return w1

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f2(fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object, True)) -> R.Tensor(dtype="float32", ndim=2):
        R.func_attr({"num_input": 1})
        k = T.int64()
        w1_untyped: R.Object = fget_param(R.prim_value(1), R.str("w1"))
        w1: R.Tensor((16, k), dtype="float32") = R.match_cast(w1_untyped, R.Tensor((16, k), dtype="float32"))
        return w1

    @R.function(private=True)
    def f3(x: R.Tensor((4, 16), dtype="float32"), w1: R.Tensor((16, "k"), dtype="float32")) -> R.Tensor((16, "k"), dtype="float32"):
        k = T.int64()
        return w1

    @R.function
    def main(x: R.Tensor((4, 16), dtype="float32"), fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object, True)) -> R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor(dtype="float32", ndim=1), R.Tensor(dtype="float32", ndim=2)):
        R.func_attr({"num_input": 2})
        k = T.int64()
        m = T.int64()
        with R.dataflow():
            w1_untyped: R.Object = fget_param(R.prim_value(0), R.str("w1"))
            w1: R.Tensor((16, k), dtype="float32") = R.match_cast(w1_untyped, R.Tensor((16, k), dtype="float32"))
            t: R.Tensor((16, k), dtype="float32") = R.exp(w1)
            w2_untyped: R.Object = fget_param(R.prim_value(1), R.str("w2"))
            w2: R.Tensor((16, m), dtype="float32") = R.match_cast(w2_untyped, R.Tensor((16, m), dtype="float32"))
            u: R.Tensor((16, k + m), dtype="float32") = R.concat((t, w2), axis=1)
            z: R.Tensor((k,), dtype="float32") = R.zeros(R.shape([k]), dtype="float32")
            y: R.Tensor((4, k + m), dtype="float32") = R.matmul(x, u, out_dtype="void")
            R.output(z, y)
        w1_untyped3: R.Object = fget_param(R.prim_value(0), R.str("w1"))
        w13: R.Tensor((16, k), dtype="float32") = R.match_cast(w1_untyped3, R.Tensor((16, k), dtype="float32"))
        w2_untyped1: R.Object = fget_param(R.prim_value(1), R.str("w2"))
        w21: R.Tensor((16, m), dtype="float32") = R.match_cast(w2_untyped1, R.Tensor((16, m), dtype="float32"))
        return (y, z, w21)
