# pass: tir.LowerDeviceKernelLaunch
# raises: TwoDynamicAllocations
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((128,), "float32"), n: T.int32):
        T.func_attr({"target": T.target("c")})
        Module.kernel(A.data, n)

    @T.prim_func(private=True)
    def kernel(A: T.handle("float32"), m: T.int32):
        T.func_attr({"target": T.target("cuda"), "tir.is_global_func": T.bool(True)})
        A_1 = T.decl_buffer((128,), data=A)
        S = T.allocate([4], "float32", "shared.dyn")
        U = T.allocate([4], "float32", "shared.dyn")
        A_1[0] = T.float32(m)

# after
error[TS4064]: kernel kernel allocates dynamic shared memory twice; run tir.MergeSharedMemoryAllocations first
  --> <text>:13:13
   |
13 |         U = T.allocate([4], "float32", "shared.dyn")
   |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
