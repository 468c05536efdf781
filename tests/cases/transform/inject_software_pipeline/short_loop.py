# pass: tir.InjectSoftwarePipeline
# differs from TVM: 0.17 does a part of the first loop again; 0.27 does the same as here
@T.prim_func
def main(A: T.Buffer((16, 2), "float32"), C: T.Buffer((16, 2), "float32")):
    for tx in T.thread_binding(0, 16, thread="threadIdx.x"):
        for i in T.serial(0, 2, annotations={"software_pipeline_stage": [0, 1, 3], "software_pipeline_order": [0, 1, 2]}):
            with T.block("compute"):
                T.reads(A[tx, i])
                T.writes(C[tx, i])
                B = T.alloc_buffer((16, 1), dtype="float32", scope="shared")
                D = T.alloc_buffer((16, 1), dtype="float32", scope="shared")
                B[tx, 0] = A[tx, i] * T.float32(2)
                D[tx, 0] = B[tx, 0] * T.float32(3)
                C[tx, i] = D[tx, 0] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 2), "float32"), C: T.Buffer((16, 2), "float32")):
    # with T.block("root"):
    for tx in T.thread_binding(16, thread="threadIdx.x"):
        with T.block(""):
            T.reads(A[tx, 0:3])
            T.writes(C[tx, 0:2])
            B = T.alloc_buffer((2, 16, 1), scope="shared")
            D = T.alloc_buffer((3, 16, 1), scope="shared")
            with T.block(""):
                T.reads(A[tx, 0:3], B[0:2, tx, 0])
                T.writes(B[0:2, tx, 0], D[0:3, tx, 0])
                for i in T.unroll(3):
                    with T.block(""):
                        T.where(i < 2)
                        T.reads(A[tx, i])
                        T.writes(B[0:2, tx, 0])
                        B[i % 2, tx, 0] = A[tx, i] * T.float32(2)
                    with T.block(""):
                        T.where(1 <= i and i - 1 < 2)
                        T.reads(B[0:2, tx, 0])
                        T.writes(D[0:3, tx, 0])
                        D[(i - 1) % 3, tx, 0] = B[(i - 1) % 2, tx, 0] * T.float32(3)
            with T.block(""):
                T.reads()
                T.writes()
                T.evaluate(0)
            with T.block(""):
                T.reads(D[0:3, tx, 0])
                T.writes(C[tx, 0:2])
                for i in T.unroll(2):
                    with T.block(""):
                        T.where(i + 3 - 3 < 2)
                        T.reads(D[0:3, tx, 0])
                        T.writes(C[tx, i - 3 + 3])
                        C[tx, i - 3 + 3] = D[(i - 3 + 3) % 3, tx, 0] + T.float32(1)
