# pass: tir.LowerDeviceKernelLaunch
# differs from TVM: the oracle's build adds an attribute thread_extent
# values: not compared: the interpreter has no external functions
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target("c")})
        Module.kernel(A.data, n)

    @T.prim_func(private=True)
    def kernel(A: T.handle("float32"), m: T.int32):
        T.func_attr({"target": T.target("llvm"), "tir.is_global_func": T.bool(True)})
        A_1 = T.decl_buffer((128,), data=A)
        A_1[0] = T.float32(m)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def kernel(A_1: T.handle("float32", "global"), m: T.int32):
        T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "llvm", "tag": ""}), "tir.is_global_func": T.bool(True)})
        A_1_1 = T.decl_buffer((128,), data=A_1)
        A_1_1[0] = T.Cast("float32", m)

    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
        T.call_extern("void", "kernel", A.data, n)
