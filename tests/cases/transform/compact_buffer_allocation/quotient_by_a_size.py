# pass: tir.CompactBufferAllocation
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, c: T.handle):
    m = T.int32()
    A = T.match_buffer(a, (4, m))
    C = T.match_buffer(c, (4, m))
    # with T.block("root"):
    for i in T.thread_binding(m * 4, thread="blockIdx.x"):
        with T.block(""):
            T.reads(A[i // m, i % m])
            T.writes(C[i // m, i % m])
            B = T.alloc_buffer((4, m), scope="shared")
            for j in T.thread_binding(32, thread="threadIdx.x"):
                with T.block(""):
                    T.where(j == 0)
                    T.reads(A[i // m, i % m])
                    T.writes(B[i // m, i % m])
                    B[i // m, i % m] = A[i // m, i % m] + T.float32(1)
            for j in T.thread_binding(32, thread="threadIdx.x"):
                with T.block(""):
                    T.where(j == 0)
                    T.reads(B[i // m, i % m])
                    T.writes(C[i // m, i % m])
                    C[i // m, i % m] = B[i // m, i % m] * T.float32(2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, c: T.handle):
    m = T.int32()
    A = T.match_buffer(a, (4, m))
    C = T.match_buffer(c, (4, m))
    # with T.block("root"):
    for i in T.thread_binding(m * 4, thread="blockIdx.x"):
        with T.block(""):
            T.reads(A[i // m, i % m])
            T.writes(C[i // m, i % m])
            B = T.alloc_buffer((1, 1), scope="shared")
            for j in T.thread_binding(32, thread="threadIdx.x"):
                with T.block(""):
                    T.where(j == 0)
                    T.reads(A[i // m, i % m])
                    T.writes(B[i // m - T.max(0, i // m), i % m - T.max(0, i % m)])
                    B[i // m - T.max(0, i // m), i % m - T.max(0, i % m)] = A[i // m, i % m] + T.float32(1)
            for j in T.thread_binding(32, thread="threadIdx.x"):
                with T.block(""):
                    T.where(j == 0)
                    T.reads(B[i // m - T.max(0, i // m), i % m - T.max(0, i % m)])
                    T.writes(C[i // m, i % m])
                    C[i // m, i % m] = B[i // m - T.max(0, i // m), i % m - T.max(0, i % m)] * T.float32(2)
