# pass: tir.ThreadSync("shared")
# a thread waits for its own copies alone
# values: not compared: without barriers, what is read depends on the order in which threads run
# not well formed: waits have no memory of their own
@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    bx = T.launch_thread("blockIdx.x", 1)
    S = T.allocate([128], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 128)
    S1 = T.Buffer((128,), data=S, scope="shared")
    S1[tx] = A[tx]
    T.attr(0, "async_wait_queue_scope", 0)
    T.attr(0, "async_wait_inflight_count", 0)
    B[tx] = S1[tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    bx = T.launch_thread("blockIdx.x", 1)
    S1 = T.allocate([128], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 128)
    S1_1 = T.Buffer((128,), data=S1, scope="shared")
    S1_1[tx] = A[tx]
    T.attr(0, "async_wait_queue_scope", 0)
    T.attr(0, "async_wait_inflight_count", 0)
    T.tvm_storage_sync("shared")
    B[tx] = S1_1[tx]
