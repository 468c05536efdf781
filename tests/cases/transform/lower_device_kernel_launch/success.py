# pass: tir.LowerDeviceKernelLaunch
# differs from TVM: the oracle's build adds an attribute thread_extent
# a launch returns nothing
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
        A_1[0] = T.float32(m)
        T.ret(0)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def kernel(A_1: T.handle("float32", "global"), m: T.int32):
        T.func_attr({"calling_conv": 2, "target": T.target({"keys": [], "kind": "ext_dev", "tag": ""}), "tir.is_global_func": T.bool(True), "tir.kernel_launch_params": []})
        A_1_1 = T.decl_buffer((128,), data=A_1)
        A_1_1[0] = T.Cast("float32", m)

    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
        T.call_packed("kernel", A.data, n)
