# pass: relax.LazyTransformParams
# differs from TVM: TVM keeps the dataflow block around impure calls, and releases a weight before its use
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def k(A: T.Buffer((T.int64(16),), "float32"), B: T.Buffer((T.int64(16),), "float32")):
        for i in range(T.int64(16)):
            with T.block("b"):
                vi = T.axis.spatial(T.int64(16), i)
                B[vi] = A[vi]
    @R.function
    def transform_params(params: R.Tuple(R.Tensor((16,), dtype="float32"), R.Tensor((16,), dtype="float32"))):
        R.func_attr({"num_input": 0})
        cls = Module
        with R.dataflow():
            y = params[0]
            z = params[0]
            c = R.call_tir(cls.k, (y,), R.Tensor((16,), "float32"))
            d = R.call_tir(cls.k, (c,), R.Tensor((16,), "float32"))
            gv = (d, z)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def k(A: T.Buffer((T.int64(16),), "float32"), B: T.Buffer((T.int64(16),), "float32")):
        # with T.block("root"):
        for i in range(T.int64(16)):
            with T.block("b"):
                vi = T.axis.spatial(T.int64(16), i)
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = A[vi]

    @R.function(pure=False)
    def transform_params() -> R.Tuple:
        R.func_attr({"num_input": 0})
        cls = Module
        gv: R.Object = R.call_packed("get_item", R.prim_value(0), sinfo_args=(R.Object,))
        gv1: R.Tensor((16,), dtype="float32") = R.match_cast(gv, R.Tensor((16,), dtype="float32"))
        y: R.Tensor((16,), dtype="float32") = gv1
        gv2: R.Object = R.call_packed("get_item", R.prim_value(0), sinfo_args=(R.Object,))
        gv3: R.Tensor((16,), dtype="float32") = R.match_cast(gv2, R.Tensor((16,), dtype="float32"))
        z: R.Tensor((16,), dtype="float32") = gv3
        _: R.Object = R.call_packed("set_item", R.prim_value(1), z, sinfo_args=(R.Object,))
        R.vm.kill_object(z)
        c = R.call_tir(cls.k, (y,), out_sinfo=R.Tensor((16,), dtype="float32"))
        R.vm.kill_object(y)
        d = R.call_tir(cls.k, (c,), out_sinfo=R.Tensor((16,), dtype="float32"))
        _1: R.Object = R.call_packed("set_item", R.prim_value(0), d, sinfo_args=(R.Object,))
        return R.tuple()
