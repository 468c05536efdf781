# finds nothing
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((576,), "float16"), B: T.Buffer((64,), "float16")):
    data = T.allocate([576], "float16", "shared")
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.Buffer((576,), "float16", data=data, scope="shared")
    R = T.decl_buffer((2,), "float16", scope="local")
    for i in range(18):
        S[i * 32 + tx] = A[i * 32 + tx]
    T.tvm_storage_sync("shared")
    T.ptx_ldmatrix("float16", False, 1, ".b16", R.data, 0, S.data, tx % 8 * 72)
    B[tx * 2:tx * 2 + 2] = R[0:2]
