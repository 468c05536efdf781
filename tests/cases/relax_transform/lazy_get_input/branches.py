# pass: relax.LazyGetInput
@I.ir_module
class Module:
    @R.function
    def transform_params(w1: R.Tensor((16, 16), "float32"), w2: R.Tuple(R.Tensor((16, 16), "float32")), c: R.Tensor((), "bool"), w3: R.Tensor((16, 16), "float32")):
        a = w2[0]
        if c:
            b = R.exp(w3)
        else:
            b = R.add(w1, w1)
        d = R.add(b, w1)
        return (a, d)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def transform_params(fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object, True)) -> R.Tuple(R.Tensor((16, 16), dtype="float32"), R.Tensor((16, 16), dtype="float32")):
        R.func_attr({"num_input": 1})
        w2_untyped: R.Object = fget_param(R.prim_value(1), R.str("w2"))
        w2: R.Tuple(R.Tensor((16, 16), dtype="float32")) = R.match_cast(w2_untyped, R.Tuple(R.Tensor((16, 16), dtype="float32")))
        a: R.Tensor((16, 16), dtype="float32") = w2[0]
        c_untyped: R.Object = fget_param(R.prim_value(2), R.str("c"))
        c: R.Tensor((), dtype="bool") = R.match_cast(c_untyped, R.Tensor((), dtype="bool"))
        if c:
            w3_untyped: R.Object = fget_param(R.prim_value(3), R.str("w3"))
            w3: R.Tensor((16, 16), dtype="float32") = R.match_cast(w3_untyped, R.Tensor((16, 16), dtype="float32"))
            b_then: R.Tensor((16, 16), dtype="float32") = R.exp(w3)
            b: R.Tensor((16, 16), dtype="float32") = b_then
        else:
            w1_untyped: R.Object = fget_param(R.prim_value(0), R.str("w1"))
            w1: R.Tensor((16, 16), dtype="float32") = R.match_cast(w1_untyped, R.Tensor((16, 16), dtype="float32"))
            b_else: R.Tensor((16, 16), dtype="float32") = R.add(w1, w1)
            b: R.Tensor((16, 16), dtype="float32") = b_else
        w1_untyped2: R.Object = fget_param(R.prim_value(0), R.str("w1"))
        w12: R.Tensor((16, 16), dtype="float32") = R.match_cast(w1_untyped2, R.Tensor((16, 16), dtype="float32"))
        d: R.Tensor((16, 16), dtype="float32") = R.add(b, w12)
        return (a, d)
