# pass: tir.MergeSharedMemoryAllocations
@T.prim_func
def main(A: T.Buffer((64,), "float16"), D: T.Buffer((64,), "float16")):
    bx = T.launch_thread("blockIdx.x", 4)
    tx = T.launch_thread("threadIdx.x", 16)
    B = T.allocate([17], "float16", "shared.dyn")
    B_1 = T.Buffer((17,), "float16", data=B, scope="shared.dyn")
    B_1[tx] = A[bx * 16 + tx]
    D[bx * 16 + tx] = B_1[tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float16"), D: T.Buffer((64,), "float16")):
    bx = T.launch_thread("blockIdx.x", 4)
    tx = T.launch_thread("threadIdx.x", 16)
    B_1 = T.allocate([17], "float16", "shared.dyn")
    B_1_1 = T.Buffer((17,), "float16", data=B_1, scope="shared.dyn")
    B_1_1[tx] = A[bx * 16 + tx]
    D[bx * 16 + tx] = B_1_1[tx]
