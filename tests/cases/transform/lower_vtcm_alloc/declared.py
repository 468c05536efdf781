# pass: tir.LowerVtcmAlloc
# values: not compared: the memory is of a device
# differs from TVM: the oracle does not make this pass by name
@T.prim_func
def main(A: T.Buffer((16, 64), "float32"), n: T.int32):
    B = T.decl_buffer([16, n], "float32", scope="global.vtcm")
    for i in range(14):
        B[i, 0] = A[i, 0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 64), "float32"), n: T.int32):
    B: T.handle("float32", "global.vtcm") = T.nd_mem_alloc_with_scope("global.vtcm", T.int64(2), T.tvm_stack_make_shape(16, n))
    B_1 = T.decl_buffer((16, n), data=B, scope="global.vtcm")
    for i in range(14):
        B_1[i, 0] = A[i, 0]
