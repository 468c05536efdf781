# pass: tir.LowerDeviceKernelLaunch
# differs from TVM: the oracle's build adds an attribute thread_extent
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target("c")})
        Module.kernel(A.data, n % 8 + 1)

    @T.prim_func(private=True)
    def kernel(A: T.handle("float32"), m: T.int32):
        T.func_attr({"target": T.target("cuda"), "tir.is_global_func": T.bool(True)})
        A_1 = T.decl_buffer((128,), data=A)
        bx = T.launch_thread("blockIdx.x", m)
        tx = T.launch_thread("threadIdx.x", 16)
        A_1[bx * 16 + tx] = T.float32(m)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def kernel(A_1: T.handle("float32", "global"), m: T.int32):
        T.func_attr({"calling_conv": 2, "target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}), "tir.is_global_func": T.bool(True), "tir.kernel_launch_params": ["blockIdx.x", "threadIdx.x"]})
        A_1_1 = T.decl_buffer((128,), data=A_1)
        bx = T.launch_thread("blockIdx.x", m)
        tx = T.launch_thread("threadIdx.x", 16)
        A_1_1[bx * 16 + tx] = T.Cast("float32", m)

    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
        T.call_packed("kernel", A.data, n % 8 + 1, n % 8 + 1, 16)
