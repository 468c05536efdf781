# finds nothing
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 2)
    data = T.allocate([32], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 64)
    S = T.Buffer((32,), data=data, scope="shared")
    T.create_barriers(1)
    if tx == 0:
        T.ptx_init_barrier_thread_count(0, 32)
    T.tvm_storage_sync("shared")
    if tx < 32:
        S[tx] = A[bx * 32 + tx]
        T.ptx_arrive_barrier(0)
    else:
        T.ptx_wait_barrier(0)
        B[bx * 32 + tx - 32] = S[63 - tx]
