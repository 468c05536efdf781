# pass: tir.SplitHostDevice
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target("cuda", host="llvm")})
        with T.attr(T.target("cuda"), "target", 0):
            bx = T.launch_thread("blockIdx.x", 8)
            tx = T.launch_thread("threadIdx.x", 16)
            A[bx * 16 + tx] = T.float32(1)
        with T.attr(T.target("cuda"), "target", 0):
            bx = T.launch_thread("blockIdx.x", n % 8 + 1)
            tx = T.launch_thread("threadIdx.x", 16)
            A[bx * 16 + tx] = T.float32(n)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def main_kernel(A: T.handle("float32", "global")):
        T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}), "tir.is_global_func": T.bool(True), "tir.noalias": T.bool(True)})
        A_1 = T.decl_buffer((128,), data=A)
        bx = T.launch_thread("blockIdx.x", 8)
        tx = T.launch_thread("threadIdx.x", 16)
        A_1[bx * 16 + tx] = T.float32(1)

    @T.prim_func(private=True)
    def main_kernel_1(A: T.handle("float32", "global"), n: T.int32):
        T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}), "tir.is_global_func": T.bool(True), "tir.noalias": T.bool(True)})
        A_1 = T.decl_buffer((128,), data=A)
        bx = T.launch_thread("blockIdx.x", n % 8 + 1)
        tx = T.launch_thread("threadIdx.x", 16)
        A_1[bx * 16 + tx] = T.Cast("float32", n)

    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target({"host": {"keys": ["cpu"], "kind": "llvm", "tag": ""}, "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
        Module.main_kernel(A.data)
        Module.main_kernel_1(A.data, n)
