# pass: tir.ThreadSync("shared.dyn")
# differs from TVM: it takes equal indices for the same bytes
# values: not compared: without barriers, what is read depends on the order in which threads run
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float16")):
    bx = T.launch_thread("blockIdx.x", 1)
    S = T.allocate([256], "uint8", "shared.dyn")
    tx = T.launch_thread("threadIdx.x", 64)
    S1 = T.Buffer((64,), data=S, scope="shared.dyn")
    S2 = T.Buffer((64,), "float16", data=S, scope="shared.dyn")
    S1[tx] = A[tx]
    B[tx] = S2[tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float16")):
    bx = T.launch_thread("blockIdx.x", 1)
    S2 = T.allocate([256], "uint8", "shared.dyn")
    tx = T.launch_thread("threadIdx.x", 64)
    S1 = T.Buffer((64,), data=S2, scope="shared.dyn")
    S1[tx] = A[tx]
    T.tvm_storage_sync("shared.dyn")
    S2_1 = T.Buffer((64,), "float16", data=S2, scope="shared.dyn")
    B[tx] = S2_1[tx]
