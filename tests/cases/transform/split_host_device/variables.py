# pass: tir.SplitHostDevice
# handles first, then by name
@I.ir_module
class Module:
    @T.prim_func
    def main(x: T.float32, A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target("cuda", host="llvm")})
        y: T.float32 = A[0]
        for i in range(4):
            with T.attr(T.target("cuda"), "target", 0):
                bx = T.launch_thread("blockIdx.x", n % 8 + 1)
                A[bx * 8 + i] = y * x

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def main_kernel(A: T.handle("float32", "global"), i: T.int32, n: T.int32, x: T.float32, y: T.float32):
        T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}), "tir.is_global_func": T.bool(True), "tir.noalias": T.bool(True)})
        A_1 = T.decl_buffer((128,), data=A)
        bx = T.launch_thread("blockIdx.x", n % 8 + 1)
        A_1[bx * 8 + i] = y * x

    @T.prim_func
    def main(x: T.float32, A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target({"host": {"keys": ["cpu"], "kind": "llvm", "tag": ""}, "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
        y: T.float32 = A[0]
        for i in range(4):
            Module.main_kernel(A.data, i, n, x, y)
