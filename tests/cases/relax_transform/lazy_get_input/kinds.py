# pass: relax.LazyGetInput
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, "k"), "float32"), w1: R.Tensor((16, "k"), "float32"), w2: R.Shape(["k", "m"]), w3: R.Prim("int64"), w4: R.Object):
        k = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            z = R.zeros(w2, "float32")
            z2 = R.zeros(R.shape([k, m]), "float32")
            z3 = R.add(w1, w1)
            R.output(z, z2, z3)
        return (z, z2, z3, w3, w4)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, "k"), dtype="float32"), fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object, True)) -> R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor(dtype="float32", ndim=2), R.Tensor((16, "k"), dtype="float32"), R.Prim("int64"), R.Object):
        k = T.int64()
        R.func_attr({"num_input": 2})
        m = T.int64()
        with R.dataflow():
            w2_untyped: R.Object = fget_param(R.prim_value(1), R.str("w2"))
            w2: R.Shape([k, m]) = R.match_cast(w2_untyped, R.Shape([k, m]))
            z: R.Tensor(w2, dtype="float32") = R.zeros(w2, dtype="float32")
            z2: R.Tensor((k, m), dtype="float32") = R.zeros(R.shape([k, m]), dtype="float32")
            w1_untyped: R.Object = fget_param(R.prim_value(0), R.str("w1"))
            w1: R.Tensor((16, k), dtype="float32") = R.match_cast(w1_untyped, R.Tensor((16, k), dtype="float32"))
            z3: R.Tensor((16, k), dtype="float32") = R.add(w1, w1)
            R.output(z, z2, z3)
        w3_untyped: R.Object = fget_param(R.prim_value(2), R.str("w3"))
        w3: R.Prim("int64") = R.match_cast(w3_untyped, R.Prim("int64"))
        w4_untyped: R.Object = fget_param(R.prim_value(3), R.str("w4"))
        w4: R.Object = R.match_cast(w4_untyped, R.Object)
        return (z, z2, z3, w3, w4)
