# pass: relax.DataflowUseInplaceCalls
@I.ir_module
class Module:
    @R.function
    def f4(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        with R.dataflow():
            a = R.exp(x)
            b = R.call_pure_packed("f", a, sinfo_args=R.Tensor((4,), "float32"))
            c = R.nn.relu(b)
            d = R.call_dps_packed("f", c, R.Tensor((4,), "float32"))
            e = R.nn.relu(d)
            R.output(e)
        with R.dataflow():
            f = R.nn.relu(e)
            R.output(f)
        return f

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def relu_inplace(b: T.Buffer((T.int64(4),), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0 in range(T.int64(4)):
            with T.block("compute"):
                v_i0 = T.axis.spatial(T.int64(4), i0)
                T.reads(b[v_i0])
                T.writes(b[v_i0])
                b[v_i0] = T.max(b[v_i0], T.float32(0))

    @R.function
    def f4(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        with R.dataflow():
            a: R.Tensor((4,), dtype="float32") = R.exp(x)
            b: R.Tensor((4,), dtype="float32") = R.call_pure_packed("f", a, sinfo_args=(R.Tensor((4,), dtype="float32"),))
            c: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.relu_inplace, (b,), out_sinfo=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
            d = R.call_dps_packed("f", (c,), out_sinfo=R.Tensor((4,), dtype="float32"))
            e: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.relu_inplace, (d,), out_sinfo=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
            f: R.Tensor((4,), dtype="float32") = R.nn.relu(e)
            R.output(e, f)
        return f
