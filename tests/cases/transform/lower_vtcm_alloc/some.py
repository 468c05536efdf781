# pass: tir.LowerVtcmAlloc
# values: not compared: the memory is of a device
# differs from TVM: the oracle does not make this pass by name
@T.prim_func
def main(A: T.Buffer((16, 64), "float32")):
    B = T.allocate([16, 64], "float32", "global.vtcm")
    C = T.allocate([16], "int8", "global")
    B_1 = T.Buffer((16, 64), data=B, scope="global.vtcm")
    C_1 = T.Buffer((16,), "int8", data=C)
    for i in range(14):
        B_1[i, 0] = A[i, 0]
        C_1[i] = T.int8(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 64), "float32")):
    B_1: T.handle("float32", "global.vtcm") = T.nd_mem_alloc_with_scope("global.vtcm", T.int64(2), T.tvm_stack_make_shape(16, 64))
    C_1 = T.allocate([16], "int8", "global")
    for i in range(14):
        B_1_1 = T.Buffer((16, 64), data=B_1, scope="global.vtcm")
        B_1_1[i, 0] = A[i, 0]
        C_1_1 = T.Buffer((16,), "int8", data=C_1)
        C_1_1[i] = T.int8(1)
