# pass: relax.LazyGetInput
# differs from TVM: TVM uses sizes before it defines them
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), w: R.Tensor(("n", 3), "float32"), v: R.Tensor(("m",), "float32"), unused: R.Tensor((2,), "float32")):
        n = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        z = R.zeros(R.shape([m]), "float32")
        y = R.add(v, z)
        return (y, R.shape([n]))

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object, True)) -> R.Tuple(R.Tensor(dtype="float32", ndim=1), R.Shape(ndim=1)):
        R.func_attr({"num_input": 2})
        m = T.int64()
        n = T.int64()
        v_untyped: R.Object = fget_param(R.prim_value(1), R.str("v"))
        v: R.Tensor((m,), dtype="float32") = R.match_cast(v_untyped, R.Tensor((m,), dtype="float32"))
        w_untyped: R.Object = fget_param(R.prim_value(0), R.str("w"))
        w: R.Tensor((n, 3), dtype="float32") = R.match_cast(w_untyped, R.Tensor((n, 3), dtype="float32"))
        z: R.Tensor((m,), dtype="float32") = R.zeros(R.shape([m]), dtype="float32")
        y: R.Tensor((m,), dtype="float32") = R.add(v, z)
        return (y, R.shape([n]))
