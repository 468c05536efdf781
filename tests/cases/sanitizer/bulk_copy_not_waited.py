# finds: TS5040 B[bx * 32 + tx] = S[31 - tx]
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 2)
    data = T.allocate([32], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.Buffer((32,), data=data, scope="shared")
    T.create_barriers(1)
    if tx == 0:
        T.ptx_init_barrier_thread_count(0, 1)
    T.tvm_storage_sync("shared")
    if tx == 0:
        T.ptx_cp_async_bulk("float32", data, 0, A.data, bx * 32, 128, 0)
        T.ptx_arrive_barrier_expect_tx(0, 128)
    B[bx * 32 + tx] = S[31 - tx]
