# pass: tir.SplitHostDevice
# the host allocates what both kernels use
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target("cuda", host="llvm")})
        B = T.allocate([n % 8 + 8], "float32", "global")
        B1 = T.Buffer((n % 8 + 8,), data=B)
        with T.attr(T.target("cuda"), "target", 0):
            bx = T.launch_thread("blockIdx.x", 8)
            B1[bx] = T.float32(bx)
        with T.attr(T.target("cuda"), "target", 0):
            bx = T.launch_thread("blockIdx.x", 8)
            A[bx] = B1[bx]

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def main_kernel(B1: T.handle("float32", "global"), n: T.int32):
        T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}), "tir.is_global_func": T.bool(True), "tir.noalias": T.bool(True)})
        B1_1 = T.decl_buffer((n % 8 + 8,), data=B1)
        bx = T.launch_thread("blockIdx.x", 8)
        B1_1[bx] = T.Cast("float32", bx)

    @T.prim_func(private=True)
    def main_kernel_1(A: T.handle("float32", "global"), B1: T.handle("float32", "global"), n: T.int32):
        T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}), "tir.is_global_func": T.bool(True), "tir.noalias": T.bool(True)})
        B1_1 = T.decl_buffer((n % 8 + 8,), data=B1)
        A_1 = T.decl_buffer((128,), data=A)
        bx = T.launch_thread("blockIdx.x", 8)
        A_1[bx] = B1_1[bx]

    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target({"host": {"keys": ["cpu"], "kind": "llvm", "tag": ""}, "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
        B1 = T.allocate([n % 8 + 8], "float32", "global")
        Module.main_kernel(B1, n)
        Module.main_kernel_1(A.data, B1, n)
