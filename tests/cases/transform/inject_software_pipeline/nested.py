# pass: tir.InjectSoftwarePipeline
@T.prim_func
def main(A: T.Buffer((16, 8, 8), "float32"), C: T.Buffer((16, 8, 8), "float32")):
    for tx in T.thread_binding(0, 16, thread="threadIdx.x"):
        for i in T.serial(0, 8, annotations={"software_pipeline_stage": [0, 0, 0, 1], "software_pipeline_order": [0, 1, 2, 3]}):
            with T.block("compute"):
                T.reads(A[tx, i, 0:8])
                T.writes(C[tx, i, 0:8])
                S = T.alloc_buffer((16, 8), dtype="float32", scope="shared")
                with T.block():
                    T.reads(A[tx, i, 0:8])
                    T.writes(S[tx, 0:8])
                    for j in range(8):
                        S[tx, j] = A[tx, i, j] * T.float32(2)
                for j in T.serial(0, 8, annotations={"software_pipeline_stage": [0, 1], "software_pipeline_order": [0, 1]}):
                    with T.block():
                        T.reads(S[tx, j])
                        T.writes(C[tx, i, j])
                        B = T.alloc_buffer((16, 1), dtype="float32", scope="shared")
                        with T.block():
                            T.reads(S[tx, j])
                            T.writes(B[tx, 0])
                            B[tx, 0] = S[tx, j] + T.float32(3)
                        with T.block():
                            T.reads(B[tx, 0])
                            T.writes(C[tx, i, j])
                            C[tx, i, j] = B[tx, 0] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 8, 8), "float32"), C: T.Buffer((16, 8, 8), "float32")):
    # with T.block("root"):
    for tx in T.thread_binding(16, thread="threadIdx.x"):
        with T.block(""):
            T.reads(A[tx, 0:8, 0:8])
            T.writes(C[tx, 0:8, 0:8])
            S = T.alloc_buffer((16, 8), scope="shared")
            B = T.alloc_buffer((2, 2, 16, 1), scope="shared")
            with T.block(""):
                T.reads(A[tx, 0, 0:8], S[tx, 0:8], B[T.FloorMod(0, 2), 0:2, tx, 0])
                T.writes(S[tx, 0:8], B[0, 0:2, tx, 0], C[tx, 0, 0:7])
                with T.block(""):
                    T.reads(A[tx, 0, 0:8])
                    T.writes(S[tx, 0:8])
                    for j in range(8):
                        S[tx, j] = A[tx, 0, j] * T.float32(2)
                with T.block(""):
                    T.reads(S[tx, 0])
                    T.writes(B[T.FloorMod(0, 2), T.FloorMod(0, 2), tx, 0])
                    B[T.FloorMod(0, 2), T.FloorMod(0, 2), tx, 0] = S[tx, 0] + T.float32(3)
                with T.block(""):
                    T.reads(S[tx, 1:8], B[T.FloorMod(0, 2), 0:2, tx, 0])
                    T.writes(B[T.FloorMod(0, 2), 0:2, tx, 0], C[tx, 0, 0:7])
                    for j in range(7):
                        with T.block(""):
                            T.where(j + 1 < 8)
                            T.reads(S[tx, j + 1])
                            T.writes(B[T.FloorMod(0, 2), (j + 1) % 2, tx, 0])
                            B[T.FloorMod(0, 2), (j + 1) % 2, tx, 0] = S[tx, j + 1] + T.float32(3)
                        with T.block(""):
                            T.where(j + 1 - 1 < 8)
                            T.reads(B[T.FloorMod(0, 2), (j - 1 + 1) % 2, tx, 0])
                            T.writes(C[tx, 0, j - 1 + 1])
                            C[tx, 0, j - 1 + 1] = B[T.FloorMod(0, 2), (j - 1 + 1) % 2, tx, 0] + T.float32(1)
            with T.block(""):
                T.reads(A[tx, 1:8, 0:8], S[tx, 0:8], B[0:2, 0:2, tx, 0])
                T.writes(S[tx, 0:8], B[0:2, 0:2, tx, 0], C[tx, 0:8, 0:8])
                for i in range(7):
                    with T.block(""):
                        T.where(i + 1 < 8)
                        T.reads(A[tx, i + 1, 0:8])
                        T.writes(S[tx, 0:8])
                        for j in range(8):
                            S[tx, j] = A[tx, i + 1, j] * T.float32(2)
                    with T.block(""):
                        T.where(i + 1 < 8)
                        T.reads(S[tx, 0])
                        T.writes(B[(i + 1) % 2, T.FloorMod(0, 2), tx, 0])
                        B[(i + 1) % 2, T.FloorMod(0, 2), tx, 0] = S[tx, 0] + T.float32(3)
                    with T.block(""):
                        T.where(i + 1 < 8)
                        T.reads(S[tx, 1:8], B[(i + 1) % 2, 0:2, tx, 0])
                        T.writes(B[(i + 1) % 2, 0:2, tx, 0], C[tx, i + 1, 0:7])
                        for j in range(7):
                            with T.block(""):
                                T.where(j + 1 < 8)
                                T.reads(S[tx, j + 1])
                                T.writes(B[(i + 1) % 2, (j + 1) % 2, tx, 0])
                                B[(i + 1) % 2, (j + 1) % 2, tx, 0] = S[tx, j + 1] + T.float32(3)
                            with T.block(""):
                                T.where(j + 1 - 1 < 8)
                                T.reads(B[(i + 1) % 2, (j - 1 + 1) % 2, tx, 0])
                                T.writes(C[tx, i + 1, j - 1 + 1])
                                C[tx, i + 1, j - 1 + 1] = B[(i + 1) % 2, (j - 1 + 1) % 2, tx, 0] + T.float32(1)
                    with T.block(""):
                        T.where(i + 1 - 1 < 8)
                        T.reads(B[(i - 1 + 1) % 2, T.FloorMod(7, 2), tx, 0])
                        T.writes(C[tx, i - 1 + 1, 7])
                        C[tx, i - 1 + 1, 7] = B[(i - 1 + 1) % 2, T.FloorMod(7, 2), tx, 0] + T.float32(1)
            with T.block(""):
                T.reads(B[T.FloorMod(7, 2), T.FloorMod(7, 2), tx, 0])
                T.writes(C[tx, 7, 7])
                C[tx, 7, 7] = B[T.FloorMod(7, 2), T.FloorMod(7, 2), tx, 0] + T.float32(1)
