# pass: relax.LazyTransformParams
# differs from TVM: it asserts that one parameter holds all weights
# Weights are parameters of their own; one is returned as it is.
@I.ir_module
class Module:
    @R.function
    def transform_params(a: R.Tensor((16, 16), "float32"), b: R.Tensor((8,), "float32")):
        with R.dataflow():
            c = R.exp(a)
            d = (b, c)
            e = d[0]
            f = R.add(e, b)
            gv = (c, b, f)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def transform_params() -> R.Tuple:
        gv: R.Object = R.call_packed("get_item", R.prim_value(0), sinfo_args=(R.Object,))
        a: R.Tensor((16, 16), dtype="float32") = R.match_cast(gv, R.Tensor((16, 16), dtype="float32"))
        gv1: R.Object = R.call_packed("get_item", R.prim_value(1), sinfo_args=(R.Object,))
        b: R.Tensor((8,), dtype="float32") = R.match_cast(gv1, R.Tensor((8,), dtype="float32"))
        _: R.Object = R.call_packed("set_item", R.prim_value(1), b, sinfo_args=(R.Object,))
        c: R.Tensor((16, 16), dtype="float32") = R.exp(a)
        R.vm.kill_object(a)
        _1: R.Object = R.call_packed("set_item", R.prim_value(0), c, sinfo_args=(R.Object,))
        d: R.Tuple(R.Tensor((8,), dtype="float32"), R.Tensor((16, 16), dtype="float32")) = b, c
        e: R.Tensor((8,), dtype="float32") = d[0]
        f: R.Tensor((8,), dtype="float32") = R.add(e, b)
        _2: R.Object = R.call_packed("set_item", R.prim_value(2), f, sinfo_args=(R.Object,))
        return R.tuple()
