# pass: tir.InjectPTXAsyncCopy
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    tx = T.launch_thread("threadIdx.x", 32)
    S_data = T.allocate([4096], "float32", "shared")
    S = T.Buffer((4096,), "float32", data=S_data, scope="shared")
    L_data = T.allocate([64], "float32", "local")
    L = T.Buffer((64,), "float32", data=L_data, scope="local")
    with T.attr(0, "async_commit_queue_scope", 0):
        with T.attr(0, "async_scope", 1):
            for i in range(4):
                S[tx*4+i] = T.if_then_else(i < 2, A[tx*4+i], T.float32(0))
    T.attr(0, "async_wait_queue_scope", 0)
    T.attr(0, "async_wait_inflight_count", 0)
    B[tx] = S[tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.allocate([4096], "float32", "shared")
    L = T.allocate([64], "float32", "local")
    with T.attr(0, "async_commit_queue_scope", 0):
        for i in range(4):
            T.ptx_cp_async("float32", S, tx * 4 + i, A.data, tx * 4 + i, 4, i < 2)
    T.attr(0, "async_wait_queue_scope", 0)
    T.attr(0, "async_wait_inflight_count", 0)
    S_1 = T.Buffer((4096,), data=S, scope="shared")
    B[tx] = S_1[tx]
