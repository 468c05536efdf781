# pass: relax.distributed.LowerGlobalViewToLocalView
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4))]})
    @T.prim_func(private=True)
    def tir_exp(a: T.Buffer((T.int64(8), T.int64(16)), "float32"), compute: T.Buffer((T.int64(8), T.int64(16)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1 in T.grid(T.int64(8), T.int64(16)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(a[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.exp(a[v_i0, v_i1])

    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "S[0], S[1]")) -> R.DTensor((8, 16), "float32", "mesh[0]", "S[0], S[1]"):
        cls = Module
        c = R.dist.call_tir(cls.tir_exp, (x,), out_sinfo=R.DTensor((8, 16), "float32", "mesh[0]", "S[0], S[1]"))
        return c

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4))]})
    @T.prim_func(private=True)
    def tir_exp(a: T.Buffer((T.int64(8), T.int64(16)), "float32"), compute: T.Buffer((T.int64(8), T.int64(16)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1 in T.grid(T.int64(8), T.int64(16)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(a[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.exp(a[v_i0, v_i1])

    @T.prim_func(private=True)
    def tir_exp1(a: T.Buffer((T.int64(4), T.int64(8)), "float32"), compute: T.Buffer((T.int64(4), T.int64(8)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1 in T.grid(T.int64(4), T.int64(8)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(a[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.exp(a[v_i0, v_i1])

    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "S[0], S[1]")) -> R.DTensor((8, 16), "float32", "mesh[0]", "S[0], S[1]"):
        cls = Module
        c: R.DTensor((8, 16), "float32", "mesh[0]", "S[0], S[1]") = R.dist.call_tir_local_view(cls.tir_exp1, (x,), out_sinfo=R.DTensor((8, 16), "float32", "mesh[0]", "S[0], S[1]"))
        return c
