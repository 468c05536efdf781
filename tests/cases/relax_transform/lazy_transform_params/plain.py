# pass: relax.LazyTransformParams
# differs from TVM: TVM sets no outputs outside of dataflow blocks
@I.ir_module
class Module:
    @R.function
    def transform_params(params: R.Tuple(R.Tensor((16, 16), dtype="float32"), R.Tensor((16, 16), dtype="float32"))):
        a = params[0]
        b = params[1]
        c = R.add(a, b)
        d = R.exp(c)
        e = R.exp(a)
        return (c, d, e, a, c)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def transform_params() -> R.Tuple:
        gv: R.Object = R.call_packed("get_item", R.prim_value(0), sinfo_args=(R.Object,))
        gv1: R.Tensor((16, 16), dtype="float32") = R.match_cast(gv, R.Tensor((16, 16), dtype="float32"))
        a: R.Tensor((16, 16), dtype="float32") = gv1
        _: R.Object = R.call_packed("set_item", R.prim_value(3), a, sinfo_args=(R.Object,))
        gv2: R.Object = R.call_packed("get_item", R.prim_value(1), sinfo_args=(R.Object,))
        gv3: R.Tensor((16, 16), dtype="float32") = R.match_cast(gv2, R.Tensor((16, 16), dtype="float32"))
        b: R.Tensor((16, 16), dtype="float32") = gv3
        c: R.Tensor((16, 16), dtype="float32") = R.add(a, b)
        R.vm.kill_object(b)
        _1: R.Object = R.call_packed("set_item", R.prim_value(0), c, sinfo_args=(R.Object,))
        _2: R.Object = R.call_packed("set_item", R.prim_value(4), c, sinfo_args=(R.Object,))
        d: R.Tensor((16, 16), dtype="float32") = R.exp(c)
        _3: R.Object = R.call_packed("set_item", R.prim_value(1), d, sinfo_args=(R.Object,))
        e: R.Tensor((16, 16), dtype="float32") = R.exp(a)
        R.vm.kill_object(a)
        _4: R.Object = R.call_packed("set_item", R.prim_value(2), e, sinfo_args=(R.Object,))
        return R.tuple()
