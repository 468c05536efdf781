# pass: tir.LowerDeviceKernelLaunch
# raises: KernelReturns
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
        T.ret(m)

# after
error[TS4063]: kernel kernel returns a value, but a launch has no result
  --> <text>:13:9
   |
13 |         T.ret(m)
   |         ^^^^^^^^
