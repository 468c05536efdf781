# pass: tir.LowerAsyncDMA
# differs from TVM: it has no Python function for this pass
@T.prim_func
def main(A: T.Buffer((4096,), "uint8"), B: T.Buffer((4096,), "uint8"), n: T.int32):
    S_data = T.allocate([4096], "uint8", "global.vtcm")
    S = T.Buffer((4096,), "uint8", data=S_data, scope="global.vtcm")
    R_data = T.allocate([4096], "uint8", "global.vtcm")
    R = T.Buffer((4096,), "uint8", data=R_data, scope="global.vtcm")
    for o in range(4):
        with T.attr(0, "async_commit_queue_scope", 0):
            with T.attr(0, "async_scope", 1):
                for i in range(n):
                    S[i] = A[o * n + i]
        with T.attr(0, "async_wait_queue_scope", 0):
            with T.attr(0, "async_wait_inflight_count", 0):
                for i in range(n):
                    B[o * n + i] = S[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "uint8"), B: T.Buffer((4096,), "uint8"), n: T.int32):
    S = T.allocate([4096], "uint8", "global.vtcm")
    R_1 = T.allocate([4096], "uint8", "global.vtcm")
    for o in range(4):
        T.dma_start_group(0)
        S_1 = T.Buffer((4096,), "uint8", data=S, scope="global.vtcm")
        with T.attr(0, "async_commit_queue_scope", 0):
            T.attr(0, "async_scope", 1)
            T.dma_copy(0, T.address_of(S_1[0]), T.address_of(A[o * n]), n, 0)
        T.dma_end_group(0)
        T.dma_wait(0, 0)
        for i in range(n):
            B[o * n + i] = S_1[i]
