# pass: tir.InjectPTXAsyncCopy
# differs from TVM: it copies elements that do not follow each other as if they did
@T.prim_func
def main(A: T.Buffer((4096,), "float16"), B: T.Buffer((4096,), "float16")):
    tx = T.launch_thread("threadIdx.x", 32)
    S_data = T.allocate([4096], "float16", "shared")
    S = T.Buffer((4096,), "float16", data=S_data, scope="shared")
    L_data = T.allocate([64], "float16", "local")
    L = T.Buffer((64,), "float16", data=L_data, scope="local")
    with T.attr(0, "async_commit_queue_scope", 0):
        with T.attr(0, "async_scope", 1):
            for i in range(4):
                S[T.Ramp(tx * 8, 2, 4)] = A[T.Ramp(tx * 4, 1, 4)]
    T.attr(0, "async_wait_queue_scope", 0)
    T.attr(0, "async_wait_inflight_count", 0)
    B[tx] = S[tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "float16"), B: T.Buffer((4096,), "float16")):
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.allocate([4096], "float16", "shared")
    L = T.allocate([64], "float16", "local")
    S_1 = T.Buffer((4096,), "float16", data=S, scope="shared")
    with T.attr(0, "async_commit_queue_scope", 0):
        for i in range(4):
            S_1[tx * 8:tx * 8 + 8:2] = A[tx * 4:tx * 4 + 4]
    T.attr(0, "async_wait_queue_scope", 0)
    T.attr(0, "async_wait_inflight_count", 0)
    B[tx] = S_1[tx]
