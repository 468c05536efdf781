# pass: relax.SpecializePrimFuncBasedOnCallSite
# differs from TVM: it is not in TVM 0.17
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("opencl", 0, "global"), I.vdevice("opencl", 0, "global.texture")]})
    @T.prim_func(private=True)
    def one(A: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("C"):
                vi = T.axis.spatial(4, i)
                C[vi] = A[vi] + T.float32(1)

    @T.prim_func(private=True)
    def two(A: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("C"):
                vi = T.axis.spatial(4, i)
                C[vi] = A[vi] * T.float32(2)

    @R.function
    def main(x: R.Tensor((4,), "float32", "vdevice:0")):
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.one, (x,), R.Tensor((4,), "float32", "vdevice:1"))
            lv1 = R.call_tir(cls.two, (lv,), R.Tensor((4,), "float32", "vdevice:1"))
            gv = R.call_tir(cls.two, (lv1,), R.Tensor((4,), "float32", "vdevice:0"))
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["opencl", "gpu"], "kind": "opencl", "max_function_args": 128, "max_num_threads": 256, "max_shared_memory_per_block": 16384, "max_threads_per_block": 256, "tag": "", "texture_spatial_limit": 16384, "thread_warp_size": 1}, 0, "global"), I.vdevice({"keys": ["opencl", "gpu"], "kind": "opencl", "max_function_args": 128, "max_num_threads": 256, "max_shared_memory_per_block": 16384, "max_threads_per_block": 256, "tag": "", "texture_spatial_limit": 16384, "thread_warp_size": 1}, 0, "global.texture")]})
    @T.prim_func(private=True)
    def one(A: T.Buffer((4,), "float32"), C_handle: T.handle):
        T.func_attr({"scoped": 1})
        C = T.match_buffer(C_handle, (4,), scope="global.texture")
        # with T.block("root"):
        for i in range(4):
            with T.block("C"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi])
                T.writes(C[vi])
                C[vi] = A[vi] + T.float32(1)

    @T.prim_func(private=True)
    def two(A: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
        # with T.block("root"):
        for i in range(4):
            with T.block("C"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi])
                T.writes(C[vi])
                C[vi] = A[vi] * T.float32(2)

    @T.prim_func(private=True)
    def two1(A_handle: T.handle, C_handle: T.handle):
        T.func_attr({"scoped": 1})
        A = T.match_buffer(A_handle, (4,), scope="global.texture")
        C = T.match_buffer(C_handle, (4,), scope="global.texture")
        # with T.block("root"):
        for i in range(4):
            with T.block("C"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi])
                T.writes(C[vi])
                C[vi] = A[vi] * T.float32(2)

    @T.prim_func(private=True)
    def two2(A_handle: T.handle, C: T.Buffer((4,), "float32")):
        T.func_attr({"scoped": 1})
        A = T.match_buffer(A_handle, (4,), scope="global.texture")
        # with T.block("root"):
        for i in range(4):
            with T.block("C"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi])
                T.writes(C[vi])
                C[vi] = A[vi] * T.float32(2)

    @R.function
    def main(x: R.Tensor((4,), dtype="float32", vdevice="opencl:0")) -> R.Tensor((4,), dtype="float32", vdevice="opencl:0"):
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.one, (x,), out_sinfo=R.Tensor((4,), dtype="float32", vdevice="opencl:1"))
            lv1 = R.call_tir(cls.two1, (lv,), out_sinfo=R.Tensor((4,), dtype="float32", vdevice="opencl:1"))
            gv = R.call_tir(cls.two2, (lv1,), out_sinfo=R.Tensor((4,), dtype="float32", vdevice="opencl:0"))
            R.output(gv)
        return gv
