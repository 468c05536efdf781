# finds: TS5042 B[bx * 32 + tx] = S[31 - tx]
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 2)
    data = T.allocate([32], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.Buffer((32,), data=data, scope="shared")
    T.ptx_cp_async("float32", data, tx, A.data, bx * 32 + tx, 4)
    T.ptx_commit_group()
    T.tvm_storage_sync("shared")
    B[bx * 32 + tx] = S[31 - tx]
