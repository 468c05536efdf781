# pass: tir.InjectSoftwarePipeline
@T.prim_func
def main(A: T.Buffer((16, 8), "float32"), C: T.Buffer((16, 8), "float32")):
    for tx in T.thread_binding(0, 16, thread="threadIdx.x"):
        for i in T.serial(0, 8, annotations={"software_pipeline_stage": [0, 0, 1], "software_pipeline_order": [0, 1, 2]}):
            with T.block("compute"):
                T.reads(A[tx, i])
                T.writes(C[tx, i])
                B = T.alloc_buffer((16, 1), dtype="float32", scope="shared")
                D = T.alloc_buffer((16, 1), dtype="float32", scope="local")
                with T.block():
                    T.reads(A[tx, i])
                    T.writes(B[tx, 0])
                    T.block_attr({"double_buffer_scope": 0})
                    B[tx, 0] = A[tx, i] * T.float32(2)
                with T.block():
                    T.reads(B[tx, 0])
                    T.writes(D[tx, 0])
                    D[tx, 0] = B[tx, 0] * T.float32(2)
                with T.block():
                    T.reads(D[tx, 0])
                    T.writes(C[tx, i])
                    C[tx, i] = D[tx, 0] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 8), "float32"), C: T.Buffer((16, 8), "float32")):
    # with T.block("root"):
    for tx in T.thread_binding(16, thread="threadIdx.x"):
        with T.block(""):
            T.reads(A[tx, 0:8])
            T.writes(C[tx, 0:8])
            B = T.alloc_buffer((2, 16, 1), scope="shared")
            D = T.alloc_buffer((2, 16, 1), scope="local")
            with T.block(""):
                T.reads(A[tx, 0], B[T.FloorMod(0, 2), tx, 0])
                T.writes(B[T.FloorMod(0, 2), tx, 0], D[T.FloorMod(0, 2), tx, 0])
                with T.block(""):
                    T.reads(A[tx, 0])
                    T.writes(B[T.FloorMod(0, 2), tx, 0])
                    T.block_attr({"double_buffer_scope": 0})
                    B[T.FloorMod(0, 2), tx, 0] = A[tx, 0] * T.float32(2)
                with T.block(""):
                    T.reads(B[T.FloorMod(0, 2), tx, 0])
                    T.writes(D[T.FloorMod(0, 2), tx, 0])
                    D[T.FloorMod(0, 2), tx, 0] = B[T.FloorMod(0, 2), tx, 0] * T.float32(2)
            with T.block(""):
                T.reads(A[tx, 1:8], B[0:2, tx, 0], D[0:2, tx, 0])
                T.writes(B[0:2, tx, 0], D[0:2, tx, 0], C[tx, 0:7])
                for i in range(7):
                    with T.block(""):
                        T.where(i + 1 < 8)
                        T.reads(A[tx, i + 1])
                        T.writes(B[(i + 1) % 2, tx, 0])
                        T.block_attr({"double_buffer_scope": 0})
                        B[(i + 1) % 2, tx, 0] = A[tx, i + 1] * T.float32(2)
                    with T.block(""):
                        T.where(i + 1 < 8)
                        T.reads(B[(i + 1) % 2, tx, 0])
                        T.writes(D[(i + 1) % 2, tx, 0])
                        D[(i + 1) % 2, tx, 0] = B[(i + 1) % 2, tx, 0] * T.float32(2)
                    with T.block(""):
                        T.where(i + 1 - 1 < 8)
                        T.reads(D[(i - 1 + 1) % 2, tx, 0])
                        T.writes(C[tx, i - 1 + 1])
                        C[tx, i - 1 + 1] = D[(i - 1 + 1) % 2, tx, 0] + T.float32(1)
            with T.block(""):
                T.reads(D[T.FloorMod(7, 2), tx, 0])
                T.writes(C[tx, 7])
                C[tx, 7] = D[T.FloorMod(7, 2), tx, 0] + T.float32(1)
