# pass: tir.ThreadSync("shared")
# a pointer that reads needs what others have written, and keeps them from writing again
# values: not compared: without barriers, what is read depends on the order in which threads run
@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    bx = T.launch_thread("blockIdx.x", 1)
    S = T.allocate([128], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 128)
    S1 = T.Buffer((128,), data=S, scope="shared")
    S1[tx] = A[tx]
    B[tx] = T.call_extern("float32", "first", T.tvm_access_ptr(T.type_annotation("float32"), S, 0, 128, 1))
    S1[tx] = A[tx] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    bx = T.launch_thread("blockIdx.x", 1)
    S1 = T.allocate([128], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 128)
    S1_1 = T.Buffer((128,), data=S1, scope="shared")
    S1_1[tx] = A[tx]
    T.tvm_storage_sync("shared")
    B[tx] = T.call_extern("float32", "first", T.tvm_access_ptr(T.type_annotation("float32"), S1, 0, 128, 1))
    T.tvm_storage_sync("shared")
    S1_1[tx] = A[tx] + T.float32(1)
