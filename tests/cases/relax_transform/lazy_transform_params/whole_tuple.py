# pass: relax.LazyTransformParams
# differs from TVM: it asserts that only items of the tuple are used
# The tuple of all weights is a value.
@I.ir_module
class Module:
    @R.function(pure=False)
    def transform_params(params: R.Tuple(R.Tensor((16,), "float32"), R.Tensor((8,), "float32"))):
        a = params[1]
        c = R.call_packed("f", params, a, sinfo_args=R.Tensor((8,), "float32"))
        d = (c, a)
        return d

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def transform_params() -> R.Tuple:
        gv: R.Object = R.call_packed("get_item", R.prim_value(1), sinfo_args=(R.Object,))
        gv1: R.Tensor((8,), dtype="float32") = R.match_cast(gv, R.Tensor((8,), dtype="float32"))
        a: R.Tensor((8,), dtype="float32") = gv1
        _: R.Object = R.call_packed("set_item", R.prim_value(1), a, sinfo_args=(R.Object,))
        gv2: R.Object = R.call_packed("get_item", R.prim_value(0), sinfo_args=(R.Object,))
        gv3: R.Tensor((16,), dtype="float32") = R.match_cast(gv2, R.Tensor((16,), dtype="float32"))
        gv4: R.Object = R.call_packed("get_item", R.prim_value(1), sinfo_args=(R.Object,))
        gv5: R.Tensor((8,), dtype="float32") = R.match_cast(gv4, R.Tensor((8,), dtype="float32"))
        c: R.Tensor((8,), dtype="float32") = R.call_packed("f", (gv3, gv5), a, sinfo_args=(R.Tensor((8,), dtype="float32"),))
        R.vm.kill_object(a)
        _1: R.Object = R.call_packed("set_item", R.prim_value(0), c, sinfo_args=(R.Object,))
        return R.tuple()
