# pass: relax.distributed.LowerGlobalViewToLocalView
# starts from: propagate_sharding/mlp_kernels.py

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(private=True)
    def matmul(x: T.Buffer((T.int64(8), T.int64(16)), "float32"), w1: T.Buffer((T.int64(16), T.int64(16)), "float32"), matmul: T.Buffer((T.int64(8), T.int64(16)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1, k in T.grid(T.int64(8), T.int64(16), T.int64(16)):
            with T.block("matmul"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                T.reads(x[v_i0, v_k], w1[v_k, v_i1])
                T.writes(matmul[v_i0, v_i1])
                with T.init():
                    matmul[v_i0, v_i1] = T.float32(0)
                matmul[v_i0, v_i1] = matmul[v_i0, v_i1] + x[v_i0, v_k] * w1[v_k, v_i1]

    @T.prim_func(private=True)
    def matmul1(x: T.Buffer((T.int64(8), T.int64(16)), "float32"), w1: T.Buffer((T.int64(16), T.int64(8)), "float32"), matmul: T.Buffer((T.int64(8), T.int64(8)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1, k in T.grid(T.int64(8), T.int64(8), T.int64(16)):
            with T.block("matmul"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                T.reads(x[v_i0, v_k], w1[v_k, v_i1])
                T.writes(matmul[v_i0, v_i1])
                with T.init():
                    matmul[v_i0, v_i1] = T.float32(0)
                matmul[v_i0, v_i1] = matmul[v_i0, v_i1] + x[v_i0, v_k] * w1[v_k, v_i1]

    @T.prim_func(private=True)
    def matmul2(x: T.Buffer((T.int64(8), T.int64(8)), "float32"), w1: T.Buffer((T.int64(8), T.int64(16)), "float32"), matmul: T.Buffer((T.int64(8), T.int64(16)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1, k in T.grid(T.int64(8), T.int64(16), T.int64(8)):
            with T.block("matmul"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                T.reads(x[v_i0, v_k], w1[v_k, v_i1])
                T.writes(matmul[v_i0, v_i1])
                with T.init():
                    matmul[v_i0, v_i1] = T.float32(0)
                matmul[v_i0, v_i1] = matmul[v_i0, v_i1] + x[v_i0, v_k] * w1[v_k, v_i1]

    @T.prim_func(private=True)
    def relu(lv0: T.Buffer((T.int64(8), T.int64(16)), "float32"), compute: T.Buffer((T.int64(8), T.int64(16)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1 in T.grid(T.int64(8), T.int64(16)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(lv0[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.max(lv0[v_i0, v_i1], T.float32(0))

    @T.prim_func(private=True)
    def relu1(lv0: T.Buffer((T.int64(8), T.int64(8)), "float32"), compute: T.Buffer((T.int64(8), T.int64(8)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1 in T.grid(T.int64(8), T.int64(8)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(lv0[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.max(lv0[v_i0, v_i1], T.float32(0))

    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "R"), w1: R.DTensor((16, 16), "float32", "mesh[0]", "S[1]"), w2: R.DTensor((16, 16), "float32", "mesh[0]", "S[0]")) -> R.DTensor((8, 16), "float32", "mesh[0]", "R"):
        cls = Module
        with R.dataflow():
            lv0: R.DTensor((8, 16), "float32", "mesh[0]", "S[1]") = R.dist.call_tir_local_view(cls.matmul1, (x, w1), out_sinfo=R.DTensor((8, 16), "float32", "mesh[0]", "S[1]"))
            lv1: R.DTensor((8, 16), "float32", "mesh[0]", "S[1]") = R.dist.call_tir_local_view(cls.relu1, (lv0,), out_sinfo=R.DTensor((8, 16), "float32", "mesh[0]", "S[1]"))
            lv: R.DTensor((8, 16), "float32", "mesh[0]", "R") = R.dist.call_tir_local_view(cls.matmul2, (lv1, w2), out_sinfo=R.DTensor((8, 16), "float32", "mesh[0]", "R"))
            lv3: R.DTensor((8, 16), "float32", "mesh[0]", "R") = R.ccl.allreduce(lv, op_type="sum")
            R.output(lv3)
        return lv3
