# pass: tir.PlanAndUpdateBufferAllocationLocation
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    G = T.alloc_buffer((16, 16))
    for by in T.thread_binding(4, thread="blockIdx.y"):
        for i in range(2):
            for bx in T.thread_binding(2, thread="blockIdx.x"):
                for tx in T.thread_binding(16, thread="threadIdx.x"):
                    with T.block("g"):
                        v0 = T.axis.spatial(16, bx * 8 + by * 2 + i)
                        v1 = T.axis.spatial(16, tx)
                        T.reads(A[v0, v1])
                        T.writes(G[v0, v1])
                        G[v0, v1] = A[v0, v1]
                    with T.block("b"):
                        v0 = T.axis.spatial(16, bx * 8 + by * 2 + i)
                        v1 = T.axis.spatial(16, tx)
                        T.reads(G[v0, v1])
                        T.writes(C[v0, v1])
                        C[v0, v1] = G[v0, v1]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    for by in T.thread_binding(4, thread="blockIdx.y"):
        with T.block(""):
            T.reads(A[by * 2:by * 2 + 10, 0:16])
            T.writes(C[by * 2:by * 2 + 10, 0:16])
            G = T.alloc_buffer((16, 16))
            for i in range(2):
                for bx in T.thread_binding(2, thread="blockIdx.x"):
                    for tx in T.thread_binding(16, thread="threadIdx.x"):
                        with T.block("g"):
                            v0 = T.axis.spatial(16, bx * 8 + by * 2 + i)
                            v1 = T.axis.spatial(16, tx)
                            T.reads(A[v0, v1])
                            T.writes(G[v0, v1])
                            G[v0, v1] = A[v0, v1]
                        with T.block("b"):
                            v0 = T.axis.spatial(16, bx * 8 + by * 2 + i)
                            v1 = T.axis.spatial(16, tx)
                            T.reads(G[v0, v1])
                            T.writes(C[v0, v1])
                            C[v0, v1] = G[v0, v1]
