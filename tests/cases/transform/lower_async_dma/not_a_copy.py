# pass: tir.LowerAsyncDMA
# differs from TVM: it has no Python function for this pass
@T.prim_func
def main(A: T.Buffer((4096,), "uint8"), B: T.Buffer((4096,), "uint8")):
    S_data = T.allocate([4096], "uint8", "global.vtcm")
    S = T.Buffer((4096,), "uint8", data=S_data, scope="global.vtcm")
    R_data = T.allocate([4096], "uint8", "global.vtcm")
    R = T.Buffer((4096,), "uint8", data=R_data, scope="global.vtcm")
    for o in range(4):
        with T.attr(0, "async_commit_queue_scope", 0):
            with T.attr(0, "async_scope", 1):
                for i in range(128):
                    S[i] = A[o * 128 + i] + T.uint8(1)
        with T.attr(0, "async_wait_queue_scope", 0):
            with T.attr(0, "async_wait_inflight_count", 0):
                for i in T.vectorized(128):
                    B[o * 128 + i] = S[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "uint8"), B: T.Buffer((4096,), "uint8")):
    S = T.allocate([4096], "uint8", "global.vtcm")
    R_1 = T.allocate([4096], "uint8", "global.vtcm")
    for o in range(4):
        S_1 = T.Buffer((4096,), "uint8", data=S, scope="global.vtcm")
        with T.attr(0, "async_commit_queue_scope", 0):
            T.attr(0, "async_scope", 1)
            for i in range(128):
                S_1[i] = A[o * 128 + i] + T.uint8(1)
        T.attr(0, "async_wait_queue_scope", 0)
        T.attr(0, "async_wait_inflight_count", 0)
        for i in T.vectorized(128):
            B[o * 128 + i] = S_1[i]
