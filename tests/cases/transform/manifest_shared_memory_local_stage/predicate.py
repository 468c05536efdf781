# pass: tir.ManifestSharedMemoryLocalStage
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    for bx in T.thread_binding(2, thread="blockIdx.x"):
        for tx in T.thread_binding(8, thread="threadIdx.x"):
            with T.block(""):
                T.reads(A[0:16, 0:16])
                T.writes(C[0:16, 0:16])
                S = T.alloc_buffer((16, 16), scope="shared")
                for i in range(8):
                    with T.block("S"):
                        T.where(i < 7)
                        T.reads(A[bx * 8 + i, tx])
                        T.writes(S[bx * 8 + i, tx])
                        T.block_attr({"tir.manifest_shared_memory_local_stage": 1})
                        S[bx * 8 + i, tx] = A[bx * 8 + i, tx]
                for i in range(8):
                    with T.block("S2"):
                        T.reads()
                        T.writes(S[bx * 8 + i, tx])
                        S[bx * 8 + i, tx] = T.Cast("float32", i)
                for i, j in T.grid(8, 2):
                    with T.block("C"):
                        T.reads(S[bx * 8 + i, tx * 2 + j])
                        T.writes(C[bx * 8 + i, tx * 2 + j])
                        C[bx * 8 + i, tx * 2 + j] = S[bx * 8 + i, tx * 2 + j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    for bx in T.thread_binding(2, thread="blockIdx.x"):
        for tx in T.thread_binding(8, thread="threadIdx.x"):
            with T.block(""):
                T.reads(A[0:16, 0:16])
                T.writes(C[0:16, 0:16])
                S = T.alloc_buffer((16, 16), scope="shared")
                S_local = T.alloc_buffer((8,), scope="local")
                for i in range(8):
                    with T.block(""):
                        T.where(i < 7)
                        T.reads(A[bx * 8 + i, tx])
                        T.writes(S_local[i])
                        S_local[i] = A[bx * 8 + i, tx]
                for i in range(8):
                    with T.block("S"):
                        T.where(i < 7)
                        T.reads(A[bx * 8 + i, tx])
                        T.writes(S[bx * 8 + i, tx])
                        S[bx * 8 + i, tx] = S_local[i]
                for i in range(8):
                    with T.block("S2"):
                        T.reads()
                        T.writes(S[bx * 8 + i, tx])
                        S[bx * 8 + i, tx] = T.Cast("float32", i)
                for i, j in T.grid(8, 2):
                    with T.block("C"):
                        T.reads(S[bx * 8 + i, tx * 2 + j])
                        T.writes(C[bx * 8 + i, tx * 2 + j])
                        C[bx * 8 + i, tx * 2 + j] = S[bx * 8 + i, tx * 2 + j]
