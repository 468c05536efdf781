# pass: tir.LowerDeviceKernelLaunch
# differs from TVM: it removes all returns, and the rest of the kernel runs
# a thread ends where the kernel returns before its end
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target("c")})
        Module.kernel(A.data, n)

    @T.prim_func(private=True)
    def kernel(A: T.handle("float32"), m: T.int32) -> T.int32:
        T.func_attr({"target": T.target("ext_dev"), "tir.is_global_func": T.bool(True)})
        A_1 = T.decl_buffer((128,), data=A)
        if m < 3:
            T.ret(0)
        A_1[0] = T.float32(m)
        if m < 9:
            T.ret(0)
        else:
            A_1[1] = T.float32(m)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def kernel(A_1: T.handle("float32", "global"), m: T.int32):
        T.func_attr({"calling_conv": 2, "target": T.target({"keys": [], "kind": "ext_dev", "tag": ""}), "tir.is_global_func": T.bool(True), "tir.kernel_launch_params": []})
        A_1_1 = T.decl_buffer((128,), data=A_1)
        if m < 3:
            T.thread_return()
        A_1_1[0] = T.Cast("float32", m)
        if m < 9:
            T.evaluate(0)
        else:
            A_1_1[1] = T.Cast("float32", m)

    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
        T.call_packed("kernel", A.data, n)
