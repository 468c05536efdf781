# pass: relax.distributed.LowerDistIR
# starts from: lower_global_view_to_local_view/mlp.py

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
    def main(x: R.Tensor((8, 16), dtype="float32"), w1: R.Tensor((16, 16), dtype="float32"), w2: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((8, 16), dtype="float32"):
        cls = Module
        with R.dataflow():
            lv: R.Tensor((8, 16), dtype="float32") = R.ccl.broadcast_from_worker0(x)
            lv1: R.Tensor((16, 8), dtype="float32") = R.ccl.scatter_from_worker0(w1, num_workers=2, axis=1)
            lv2: R.Tensor((8, 16), dtype="float32") = R.ccl.scatter_from_worker0(w2, num_workers=2, axis=0)
            lv0 = R.call_tir(cls.matmul1, (lv, lv1), out_sinfo=R.Tensor((8, 8), dtype="float32"))
            lv1_1 = R.call_tir(cls.relu1, (lv0,), out_sinfo=R.Tensor((8, 8), dtype="float32"))
            lv_1 = R.call_tir(cls.matmul2, (lv1_1, lv2), out_sinfo=R.Tensor((8, 16), dtype="float32"))
            lv3: R.Tensor((8, 16), dtype="float32") = R.ccl.allreduce(lv_1, op_type="sum")
            R.output(lv3)
        return lv3
