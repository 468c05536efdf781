# pass: tir.InjectSoftwarePipeline
# differs from TVM: the sizes of regions with minima in them are written in another way
@T.prim_func
def main(a: T.handle, c: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (16, n), "float32")
    C = T.match_buffer(c, (16, n), "float32")
    for tx in T.thread_binding(0, 16, thread="threadIdx.x"):
        for i in T.serial(0, n, annotations={"software_pipeline_stage": [0, 1], "software_pipeline_order": [0, 1]}):
            with T.block("compute"):
                T.reads(A[tx, i])
                T.writes(C[tx, i])
                B = T.alloc_buffer((16, 1), dtype="float32", scope="shared")
                B[tx, 0] = A[tx, i] * T.float32(2)
                C[tx, i] = B[tx, 0] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, c: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (16, n))
    C = T.match_buffer(c, (16, n))
    # with T.block("root"):
    for tx in T.thread_binding(16, thread="threadIdx.x"):
        with T.block(""):
            T.reads(A[tx, 0:T.max(1, n)])
            T.writes(C[tx, T.min(0, n - 1):T.min(0, n - 1) + T.max(n, 1)])
            B = T.alloc_buffer((2, 16, 1), scope="shared")
            with T.block(""):
                T.reads(A[tx, 0])
                T.writes(B[T.FloorMod(0, 2), tx, 0])
                with T.block(""):
                    T.where(0 < n)
                    T.reads(A[tx, 0])
                    T.writes(B[T.FloorMod(0, 2), tx, 0])
                    B[T.FloorMod(0, 2), tx, 0] = A[tx, 0] * T.float32(2)
            with T.block(""):
                T.reads(A[tx, 1:1 + (n - 1)], B[0:2, tx, 0])
                T.writes(B[0:2, tx, 0], C[tx, 0:n - 1])
                for i in range(n - 1):
                    with T.block(""):
                        T.where(i + 1 < n)
                        T.reads(A[tx, i + 1])
                        T.writes(B[(i + 1) % 2, tx, 0])
                        B[(i + 1) % 2, tx, 0] = A[tx, i + 1] * T.float32(2)
                    with T.block(""):
                        T.where(i + 1 - 1 < n)
                        T.reads(B[(i - 1 + 1) % 2, tx, 0])
                        T.writes(C[tx, i - 1 + 1])
                        C[tx, i - 1 + 1] = B[(i - 1 + 1) % 2, tx, 0] + T.float32(1)
            with T.block(""):
                T.reads(B[(n - 1) % 2, tx, 0])
                T.writes(C[tx, n - 1])
                with T.block(""):
                    T.where(1 <= n and n - 1 < n)
                    T.reads(B[(n - 1) % 2, tx, 0])
                    T.writes(C[tx, n - 1])
                    C[tx, n - 1] = B[(n - 1) % 2, tx, 0] + T.float32(1)
