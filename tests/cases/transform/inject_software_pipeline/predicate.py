# pass: tir.InjectSoftwarePipeline
# differs from TVM: it loses the predicate of the loop's block
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for tx in T.thread_binding(0, 16, thread="threadIdx.x"):
        for i in T.serial(0, 16, annotations={"software_pipeline_stage": [0, 1], "software_pipeline_order": [0, 1]}):
            with T.block("compute"):
                T.where(i * 3 + tx < 20)
                T.reads(A[tx, i])
                T.writes(C[tx, i])
                B = T.alloc_buffer((16, 1), dtype="float32", scope="shared")
                with T.block():
                    T.reads(A[tx, i])
                    T.writes(B[tx, 0])
                    B[tx, 0] = A[tx, i] * T.float32(2)
                with T.block():
                    T.reads(B[tx, 0])
                    T.writes(C[tx, i])
                    C[tx, i] = B[tx, 0] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    for tx in T.thread_binding(16, thread="threadIdx.x"):
        with T.block(""):
            T.reads(A[tx, 0:16])
            T.writes(C[tx, 0:16])
            B = T.alloc_buffer((2, 16, 1), scope="shared")
            with T.block(""):
                T.reads(A[tx, 0])
                T.writes(B[T.FloorMod(0, 2), tx, 0])
                with T.block(""):
                    T.where(T.Mul(0, 3) + tx < 20)
                    T.reads(A[tx, 0])
                    T.writes(B[T.FloorMod(0, 2), tx, 0])
                    B[T.FloorMod(0, 2), tx, 0] = A[tx, 0] * T.float32(2)
            with T.block(""):
                T.reads(A[tx, 1:16], B[0:2, tx, 0])
                T.writes(B[0:2, tx, 0], C[tx, 0:15])
                for i in range(15):
                    with T.block(""):
                        T.where(i + 1 < 16)
                        T.reads(A[tx, i + 1])
                        T.writes(B[(i + 1) % 2, tx, 0])
                        with T.block(""):
                            T.where((i + 1) * 3 + tx < 20)
                            T.reads(A[tx, i + 1])
                            T.writes(B[(i + 1) % 2, tx, 0])
                            B[(i + 1) % 2, tx, 0] = A[tx, i + 1] * T.float32(2)
                    with T.block(""):
                        T.where(i + 1 - 1 < 16)
                        T.reads(B[(i - 1 + 1) % 2, tx, 0])
                        T.writes(C[tx, i - 1 + 1])
                        with T.block(""):
                            T.where((i - 1 + 1) * 3 + tx < 20)
                            T.reads(B[(i - 1 + 1) % 2, tx, 0])
                            T.writes(C[tx, i - 1 + 1])
                            C[tx, i - 1 + 1] = B[(i - 1 + 1) % 2, tx, 0] + T.float32(1)
            with T.block(""):
                T.reads(B[T.FloorMod(15, 2), tx, 0])
                T.writes(C[tx, 15])
                with T.block(""):
                    T.where(T.Mul(15, 3) + tx < 20)
                    T.reads(B[T.FloorMod(15, 2), tx, 0])
                    T.writes(C[tx, 15])
                    C[tx, 15] = B[T.FloorMod(15, 2), tx, 0] + T.float32(1)
