# pass: tir.SplitHostDevice
# a kernel for a CPU says that it succeeded
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target("cuda", host="llvm")})
        with T.attr(T.target("c"), "target", 0):
            A[0] = T.float32(n)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def main_kernel(A: T.handle("float32", "global"), n: T.int32) -> T.int32:
        T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""}), "tir.is_global_func": T.bool(True), "tir.noalias": T.bool(True)})
        A_1 = T.decl_buffer((128,), data=A)
        A_1[0] = T.Cast("float32", n)
        return 0

    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target({"host": {"keys": ["cpu"], "kind": "llvm", "tag": ""}, "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
        kernel_error_code: T.int32 = Module.main_kernel(A.data, n)
        assert kernel_error_code == 0, "Error executing compute kernel"
        T.evaluate(0)
