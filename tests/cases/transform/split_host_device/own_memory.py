# pass: tir.SplitHostDevice
# differs from TVM: it declares what the kernel allocates before it is allocated
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target("cuda", host="llvm")})
        with T.attr(T.target("cuda"), "target", 0):
            bx = T.launch_thread("blockIdx.x", 8)
            S = T.allocate([16], "float32", "shared")
            tx = T.launch_thread("threadIdx.x", 16)
            S1 = T.Buffer((16,), data=S, scope="shared")
            S1[tx] = T.float32(bx)
            A[bx * 16 + tx] = S1[tx]

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
        S1 = T.allocate([16], "float32", "shared")
        tx = T.launch_thread("threadIdx.x", 16)
        S1_1 = T.Buffer((16,), data=S1, scope="shared")
        S1_1[tx] = T.Cast("float32", bx)
        A_1[bx * 16 + tx] = S1_1[tx]

    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target({"host": {"keys": ["cpu"], "kind": "llvm", "tag": ""}, "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
        Module.main_kernel(A.data)
