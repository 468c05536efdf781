# pass: tir.InjectSoftwarePipeline
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for tx in T.thread_binding(0, 16, thread="threadIdx.x"):
        for i in T.serial(0, 16, annotations={"software_pipeline_stage": [0, 0], "software_pipeline_order": [0, 1]}):
            with T.block("compute"):
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
            B = T.alloc_buffer((16, 1), scope="shared")
            with T.block(""):
                T.reads()
                T.writes()
                T.evaluate(0)
            with T.block(""):
                T.reads(A[tx, 0:16], B[tx, 0])
                T.writes(B[tx, 0], C[tx, 0:16])
                for i in range(16):
                    with T.block(""):
                        T.where(i < 16)
                        T.reads(A[tx, i])
                        T.writes(B[tx, 0])
                        B[tx, 0] = A[tx, i] * T.float32(2)
                    with T.block(""):
                        T.where(i < 16)
                        T.reads(B[tx, 0])
                        T.writes(C[tx, i])
                        C[tx, i] = B[tx, 0] + T.float32(1)
            with T.block(""):
                T.reads()
                T.writes()
                T.evaluate(0)
