# pass: tir.InjectSoftwarePipeline
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), D: T.Buffer((16, 16), "float32")):
    for tx in T.thread_binding(0, 16, thread="threadIdx.x"):
        for i in T.serial(2, 16, annotations={"software_pipeline_stage": [0, 1, 2], "software_pipeline_order": [2, 0, 1], "kept": 1}):
            with T.block("compute"):
                T.reads(A[tx, i])
                T.writes(D[tx, i])
                B = T.alloc_buffer((16, 1), dtype="float32", scope="shared")
                C = T.alloc_buffer((16, 1), dtype="float32", scope="shared")
                with T.block():
                    T.reads(A[tx, i])
                    T.writes(B[tx, 0])
                    B[tx, 0] = A[tx, i] * T.float32(2)
                with T.block():
                    T.reads(B[tx, 0])
                    T.writes(C[tx, 0])
                    C[tx, 0] = B[tx, 0] + B[tx, 0]
                with T.block():
                    T.reads(C[tx, 0])
                    T.writes(D[tx, i])
                    D[tx, i] = C[tx, 0] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), D: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    for tx in T.thread_binding(16, thread="threadIdx.x"):
        with T.block(""):
            T.reads(A[tx, 2:16])
            T.writes(D[tx, 2:16])
            B = T.alloc_buffer((16, 1), scope="shared")
            C = T.alloc_buffer((2, 16, 1), scope="shared")
            with T.block(""):
                T.reads(B[tx, 0], A[tx, 2:4])
                T.writes(C[0:2, tx, 0], B[tx, 0])
                for i in T.unroll(2, 4, annotations={"kept": 1}):
                    with T.block(""):
                        T.where(i == 3 and i - 1 < 16)
                        T.reads(B[tx, 0])
                        T.writes(C[0:2, tx, 0])
                        C[(i - 1 - 2) % 2, tx, 0] = B[tx, 0] + B[tx, 0]
                    with T.block(""):
                        T.where(i < 16)
                        T.reads(A[tx, i])
                        T.writes(B[tx, 0])
                        B[tx, 0] = A[tx, i] * T.float32(2)
            with T.block(""):
                T.reads(B[tx, 0], C[0:2, tx, 0], A[tx, 4:16])
                T.writes(C[0:2, tx, 0], D[tx, 2:14], B[tx, 0])
                for i in T.serial(2, 14, annotations={"kept": 1}):
                    with T.block(""):
                        T.where(i + 2 - 1 < 16)
                        T.reads(B[tx, 0])
                        T.writes(C[0:2, tx, 0])
                        C[(i - 1 + 2 - 2) % 2, tx, 0] = B[tx, 0] + B[tx, 0]
                    with T.block(""):
                        T.where(i + 2 - 2 < 16)
                        T.reads(C[0:2, tx, 0])
                        T.writes(D[tx, i - 2 + 2])
                        D[tx, i - 2 + 2] = C[(i - 2 + 2 - 2) % 2, tx, 0] + T.float32(1)
                    with T.block(""):
                        T.where(i + 2 < 16)
                        T.reads(A[tx, i + 2])
                        T.writes(B[tx, 0])
                        B[tx, 0] = A[tx, i + 2] * T.float32(2)
            with T.block(""):
                T.reads(B[tx, 0], C[0:2, tx, 0])
                T.writes(C[0:2, tx, 0], D[tx, 14:16])
                for i in T.unroll(2, 4, annotations={"kept": 1}):
                    with T.block(""):
                        T.where(i + 14 - 1 < 16)
                        T.reads(B[tx, 0])
                        T.writes(C[0:2, tx, 0])
                        C[(i - 1 + 14 - 2) % 2, tx, 0] = B[tx, 0] + B[tx, 0]
                    with T.block(""):
                        T.where(i + 14 - 2 < 16)
                        T.reads(C[0:2, tx, 0])
                        T.writes(D[tx, i - 2 + 14])
                        D[tx, i - 2 + 14] = C[(i - 2 + 14 - 2) % 2, tx, 0] + T.float32(1)
