# pass: tir.ManifestSharedMemoryLocalStage
# raises: NoLocalStage
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
                        T.reads(A[bx * 8 + i, tx])
                        T.writes(S[bx * 8 + i, tx])
                        T.block_attr({"tir.manifest_shared_memory_local_stage": 1})
                        S[bx * 8 + i, tx] = A[bx * 8 + i, tx]
                    with T.block("S2"):
                        T.reads()
                        T.writes(S[bx * 8 + i, tx + 8])
                        S[bx * 8 + i, tx + 8] = T.Cast("float32", i)
                for i, j in T.grid(8, 2):
                    with T.block("C"):
                        T.reads(S[bx * 8 + i, tx * 2 + j])
                        T.writes(C[bx * 8 + i, tx * 2 + j])
                        C[bx * 8 + i, tx * 2 + j] = S[bx * 8 + i, tx * 2 + j]

# after
error[TS4023]: block S cannot be staged through registers: the enclosing loop i contains other statements
  --> <text>:13:26
   |
13 |                     with T.block("S"):
   |                          ^^^^^^^^^^^^
