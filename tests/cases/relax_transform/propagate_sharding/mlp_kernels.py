# pass: relax.distributed.PropagateSharding
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
    def relu(lv0: T.Buffer((T.int64(8), T.int64(16)), "float32"), compute: T.Buffer((T.int64(8), T.int64(16)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1 in T.grid(T.int64(8), T.int64(16)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(lv0[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.max(lv0[v_i0, v_i1], T.float32(0))

    @R.function
    def main(x: R.Tensor((8, 16), dtype="float32"), w1: R.Tensor((16, 16), dtype="float32"), w2: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((8, 16), dtype="float32"):
        cls = Module
        with R.dataflow():
            lv0 = R.call_tir(cls.matmul, (x, w1), out_sinfo=R.Tensor((8, 16), dtype="float32"))
            lv1 = R.call_tir(cls.relu, (lv0,), out_sinfo=R.Tensor((8, 16), dtype="float32"))
            lv2: R.Tensor((8, 16), dtype="float32") = R.dist.annotate_sharding(lv1, device_mesh="mesh[0]", placement="S[1]")
            lv3 = R.call_tir(cls.matmul, (lv2, w2), out_sinfo=R.Tensor((8, 16), dtype="float32"))
            R.output(lv3)
        return lv3

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
    def relu(lv0: T.Buffer((T.int64(8), T.int64(16)), "float32"), compute: T.Buffer((T.int64(8), T.int64(16)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1 in T.grid(T.int64(8), T.int64(16)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(lv0[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.max(lv0[v_i0, v_i1], T.float32(0))

    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "R"), w1: R.DTensor((16, 16), "float32", "mesh[0]", "S[1]"), w2: R.DTensor((16, 16), "float32", "mesh[0]", "S[0]")) -> R.DTensor((8, 16), "float32", "mesh[0]", "R"):
        cls = Module
        with R.dataflow():
            lv0 = R.dist.call_tir(cls.matmul, (x, w1), out_sinfo=R.DTensor((8, 16), "float32", "mesh[0]", "S[1]"))
            lv1 = R.dist.call_tir(cls.relu, (lv0,), out_sinfo=R.DTensor((8, 16), "float32", "mesh[0]", "S[1]"))
            lv3 = R.dist.call_tir(cls.matmul, (lv1, w2), out_sinfo=R.DTensor((8, 16), "float32", "mesh[0]", "R"))
            R.output(lv3)
        return lv3
