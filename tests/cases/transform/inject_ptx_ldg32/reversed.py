# pass: tir.InjectPTXLDG32
# differs from TVM: it has no Python function for this pass
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    tx = T.launch_thread("threadIdx.x", 32)
    L_data = T.allocate([64], "float32", "local")
    L = T.Buffer((64,), "float32", data=L_data, scope="local")
    for i in range(4):
        L[i] = T.if_then_else(i + tx < 30, T.float32(0), A[tx * 4 + i])
    B[tx] = L[tx % 4]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    tx = T.launch_thread("threadIdx.x", 32)
    L = T.allocate([64], "float32", "local")
    L_1 = T.Buffer((64,), data=L, scope="local")
    for i in range(4):
        L_1[i] = T.if_then_else(i + tx < 30, T.float32(0), A[tx * 4 + i])
    B[tx] = L_1[tx % 4]
