# pass: tir.InjectSoftwarePipeline
@T.prim_func
def main(A: T.Buffer((16, 16, 16), "float32"), C: T.Buffer((16, 16, 16), "float32")):
    for tx in T.thread_binding(0, 16, thread="threadIdx.x"):
        for i in T.serial(0, 16, annotations={"software_pipeline_stage": [0, 0, 0, 1, 1], "software_pipeline_order": [0, 2, 3, 1, 4]}):
            with T.block():
                T.reads(A[tx, i, 0:16])
                T.writes(C[tx, i, 0:16])
                A_shared = T.alloc_buffer((16, 1, 16), dtype="float32", scope="shared")
                A_local = T.alloc_buffer((1, 1, 16), dtype="float32", scope="local")
                for j in T.serial(0, 16):
                    with T.block():
                        T.reads(A[tx, i, j])
                        T.writes(A_shared[tx, 0, j])
                        A_shared[tx, 0, j] = A[tx, i, j]
                with T.block():
                    T.reads(A_shared[tx, 0, 0:16])
                    T.writes(A_local[0, 0, 0:16])
                    T.block_attr({"double_buffer_scope": 0})
                    for j in T.serial(0, 16):
                        with T.block():
                            T.reads(A_shared[tx, 0, j])
                            T.writes(A_local[0, 0, j])
                            A_local[0, 0, j] = A_shared[tx, 0, j]
                for j in T.serial(0, 16, annotations={"software_pipeline_stage": [0, 1], "software_pipeline_order": [0, 1]}):
                    with T.block():
                        T.reads(A_local[0, 0, j])
                        T.writes(C[tx, i, j])
                        B = T.alloc_buffer((16, 1, 1), dtype="float32", scope="shared")
                        with T.block():
                            T.reads(A_local[0, 0, j])
                            T.writes(B[tx, i, 0])
                            B[tx, 0, 0] = A_local[0, 0, j] * T.float32(2)
                        with T.block():
                            T.reads(B[tx, i, 0])
                            T.writes(C[tx, i, j])
                            C[tx, i, j] = B[tx, 0, 0] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16, 16), "float32"), C: T.Buffer((16, 16, 16), "float32")):
    # with T.block("root"):
    for tx in T.thread_binding(16, thread="threadIdx.x"):
        with T.block(""):
            T.reads(A[tx, 0:16, 0:16])
            T.writes(C[tx, 0:16, 0:16])
            A_shared = T.alloc_buffer((16, 1, 16), scope="shared")
            A_local = T.alloc_buffer((2, 1, 1, 16), scope="local")
            B = T.alloc_buffer((2, 16, 1, 1), scope="shared")
            with T.block(""):
                T.reads(A[tx, 0, 0:16], A_shared[tx, 0, 0:16], A_local[T.FloorMod(0, 2), 0, 0, 0])
                T.writes(A_shared[tx, 0, 0:16], A_local[T.FloorMod(0, 2), 0, 0, 0:16], B[T.FloorMod(0, 2), tx, 0, 0])
                with T.block(""):
                    T.reads(A[tx, 0, 0:16])
                    T.writes(A_shared[tx, 0, 0:16])
                    for j in range(16):
                        with T.block(""):
                            T.reads(A[tx, 0, j])
                            T.writes(A_shared[tx, 0, j])
                            A_shared[tx, 0, j] = A[tx, 0, j]
                with T.block(""):
                    T.reads(A_shared[tx, 0, 0:16])
                    T.writes(A_local[T.FloorMod(0, 2), 0, 0, 0:16])
                    T.block_attr({"double_buffer_scope": 0})
                    for j in range(16):
                        with T.block(""):
                            T.reads(A_shared[tx, 0, j])
                            T.writes(A_local[T.FloorMod(0, 2), 0, 0, j])
                            A_local[T.FloorMod(0, 2), 0, 0, j] = A_shared[tx, 0, j]
                with T.block(""):
                    T.reads(A_local[T.FloorMod(0, 2), 0, 0, 0])
                    T.writes(B[T.FloorMod(0, 2), tx, 0, 0])
                    B[T.FloorMod(0, 2), tx, 0, 0] = A_local[T.FloorMod(0, 2), 0, 0, 0] * T.float32(2)
            with T.block(""):
                T.reads(A[tx, 1:16, 0:16], A_local[0:2, 0, 0, 0:16], B[0:2, tx, 0:15, 0], A_shared[tx, 0, 0:16])
                T.writes(A_shared[tx, 0, 0:16], B[0:2, tx, 0:16, 0], C[tx, 0:15, 0:16], A_local[0:2, 0, 0, 0:16])
                for i in range(15):
                    with T.block(""):
                        T.where(i + 1 < 16)
                        T.reads(A[tx, i + 1, 0:16])
                        T.writes(A_shared[tx, 0, 0:16])
                        for j in range(16):
                            with T.block(""):
                                T.reads(A[tx, i + 1, j])
                                T.writes(A_shared[tx, 0, j])
                                A_shared[tx, 0, j] = A[tx, i + 1, j]
                    with T.block(""):
                        T.where(i + 1 - 1 < 16)
                        T.reads(A_local[(i - 1 + 1) % 2, 0, 0, 1:16], B[0:2, tx, i - 1 + 1, 0])
                        T.writes(B[0:2, tx, i - 1 + 1, 0], C[tx, i - 1 + 1, 0:15])
                        for j in range(15):
                            with T.block(""):
                                T.where(j + 1 < 16)
                                T.reads(A_local[(i - 1 + 1) % 2, 0, 0, j + 1])
                                T.writes(B[(j + 1) % 2, tx, i - 1 + 1, 0])
                                B[(j + 1) % 2, tx, 0, 0] = A_local[(i - 1 + 1) % 2, 0, 0, j + 1] * T.float32(2)
                            with T.block(""):
                                T.where(j + 1 - 1 < 16)
                                T.reads(B[(j - 1 + 1) % 2, tx, i - 1 + 1, 0])
                                T.writes(C[tx, i - 1 + 1, j - 1 + 1])
                                C[tx, i - 1 + 1, j - 1 + 1] = B[(j - 1 + 1) % 2, tx, 0, 0] + T.float32(1)
                    with T.block(""):
                        T.where(i + 1 < 16)
                        T.reads(A_shared[tx, 0, 0:16])
                        T.writes(A_local[(i + 1) % 2, 0, 0, 0:16])
                        T.block_attr({"double_buffer_scope": 0})
                        for j in range(16):
                            with T.block(""):
                                T.reads(A_shared[tx, 0, j])
                                T.writes(A_local[(i + 1) % 2, 0, 0, j])
                                A_local[(i + 1) % 2, 0, 0, j] = A_shared[tx, 0, j]
                    with T.block(""):
                        T.where(i + 1 < 16)
                        T.reads(A_local[(i + 1) % 2, 0, 0, 0])
                        T.writes(B[T.FloorMod(0, 2), tx, i + 1, 0])
                        B[T.FloorMod(0, 2), tx, 0, 0] = A_local[(i + 1) % 2, 0, 0, 0] * T.float32(2)
                    with T.block(""):
                        T.where(i + 1 - 1 < 16)
                        T.reads(B[T.FloorMod(15, 2), tx, i - 1 + 1, 0])
                        T.writes(C[tx, i - 1 + 1, 15])
                        C[tx, i - 1 + 1, 15] = B[T.FloorMod(15, 2), tx, 0, 0] + T.float32(1)
            with T.block(""):
                T.reads(A_local[T.FloorMod(15, 2), 0, 0, 1:16], B[0:2, tx, 15, 0])
                T.writes(B[0:2, tx, 15, 0], C[tx, 15, 0:16])
                with T.block(""):
                    T.reads(A_local[T.FloorMod(15, 2), 0, 0, 1:16], B[0:2, tx, 15, 0])
                    T.writes(B[0:2, tx, 15, 0], C[tx, 15, 0:15])
                    for j in range(15):
                        with T.block(""):
                            T.where(j + 1 < 16)
                            T.reads(A_local[T.FloorMod(15, 2), 0, 0, j + 1])
                            T.writes(B[(j + 1) % 2, tx, 15, 0])
                            B[(j + 1) % 2, tx, 0, 0] = A_local[T.FloorMod(15, 2), 0, 0, j + 1] * T.float32(2)
                        with T.block(""):
                            T.where(j + 1 - 1 < 16)
                            T.reads(B[(j - 1 + 1) % 2, tx, 15, 0])
                            T.writes(C[tx, 15, j - 1 + 1])
                            C[tx, 15, j - 1 + 1] = B[(j - 1 + 1) % 2, tx, 0, 0] + T.float32(1)
                with T.block(""):
                    T.reads(B[T.FloorMod(15, 2), tx, 15, 0])
                    T.writes(C[tx, 15, 15])
                    C[tx, 15, 15] = B[T.FloorMod(15, 2), tx, 0, 0] + T.float32(1)
