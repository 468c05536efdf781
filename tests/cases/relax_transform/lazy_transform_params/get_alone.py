# pass: relax.LazyTransformParams(fset_item=None)
@I.ir_module
class Module:
    @R.function
    def transform_params(params: R.Tuple(R.Tensor((16, "n"), dtype="float32"), R.Tensor((16, "n"), dtype="float32"))):
        n = T.int64()
        a = params[0]
        b = params[1]
        c = R.add(a, b)
        return (c, a)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def transform_params() -> R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor(dtype="float32", ndim=2)):
        n = T.int64()
        gv: R.Object = R.call_packed("get_item", R.prim_value(0), sinfo_args=(R.Object,))
        gv1: R.Tensor((16, n), dtype="float32") = R.match_cast(gv, R.Tensor((16, n), dtype="float32"))
        a: R.Tensor((16, n), dtype="float32") = gv1
        gv2: R.Object = R.call_packed("get_item", R.prim_value(1), sinfo_args=(R.Object,))
        gv3: R.Tensor((16, n), dtype="float32") = R.match_cast(gv2, R.Tensor((16, n), dtype="float32"))
        b: R.Tensor((16, n), dtype="float32") = gv3
        c: R.Tensor((16, n), dtype="float32") = R.add(a, b)
        return (c, a)
