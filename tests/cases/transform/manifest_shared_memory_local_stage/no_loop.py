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
                with T.block("S"):
                    T.reads(A[bx * 8, tx])
                    T.writes(S[bx * 8, tx])
                    T.block_attr({"tir.manifest_shared_memory_local_stage": 1})
                    S[bx * 8, tx] = A[bx * 8, tx]
                for i, j in T.grid(8, 2):
                    with T.block("S2"):
                        T.reads()
                        T.writes(S[bx * 8 + i, tx * 2 + j])
                        S[bx * 8 + i, tx * 2 + j] = T.Cast("float32", i)
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
                S_local = T.alloc_buffer((), scope="local")
                with T.block(""):
                    T.reads(A[bx * 8, tx])
                    T.writes(S_local[()])
                    S_local[()] = A[bx * 8, tx]
                with T.block("S"):
                    T.reads(A[bx * 8, tx])
                    T.writes(S[bx * 8, tx])
                    S[bx * 8, tx] = S_local[()]
                for i, j in T.grid(8, 2):
                    with T.block("S2"):
                        T.reads()
                        T.writes(S[bx * 8 + i, tx * 2 + j])
                        S[bx * 8 + i, tx * 2 + j] = T.Cast("float32", i)
                for i, j in T.grid(8, 2):
                    with T.block("C"):
                        T.reads(S[bx * 8 + i, tx * 2 + j])
                        T.writes(C[bx * 8 + i, tx * 2 + j])
                        C[bx * 8 + i, tx * 2 + j] = S[bx * 8 + i, tx * 2 + j]
