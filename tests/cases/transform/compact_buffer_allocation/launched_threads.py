# pass: tir.CompactBufferAllocation
# Threads that are launched around a buffer: each has its own part, or all share one.
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    bx = T.launch_thread("blockIdx.x", 4)
    with T.block(""):
        T.reads(A[bx * 4:bx * 4 + 4, 0:8])
        T.writes(C[bx * 4:bx * 4 + 4, 0:8])
        B = T.alloc_buffer((16, 16), scope="shared")
        tx = T.launch_thread("threadIdx.x", 4)
        with T.block(""):
            T.reads(A[bx * 4 + tx, 0:8])
            T.writes(C[bx * 4 + tx, 0:8])
            D = T.alloc_buffer((16, 16), scope="local")
            for j in range(8):
                B[bx * 4 + tx, j] = A[bx * 4 + tx, j]
                D[bx * 4 + tx, j] = B[bx * 4 + tx, j] + T.float32(1)
                C[bx * 4 + tx, j] = D[bx * 4 + tx, j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    bx = T.launch_thread("blockIdx.x", 4)
    with T.block(""):
        T.reads(A[bx * 4:bx * 4 + 4, 0:8])
        T.writes(C[bx * 4:bx * 4 + 4, 0:8])
        B = T.alloc_buffer((4, 8), scope="shared")
        tx = T.launch_thread("threadIdx.x", 4)
        with T.block(""):
            T.reads(A[bx * 4 + tx, 0:8])
            T.writes(C[bx * 4 + tx, 0:8])
            D = T.alloc_buffer((1, 8), scope="local")
            for j in range(8):
                B[bx * 4 + tx - bx * 4, j] = A[bx * 4 + tx, j]
                D[bx * 4 + tx - (bx * 4 + tx), j] = B[bx * 4 + tx - bx * 4, j] + T.float32(1)
                C[bx * 4 + tx, j] = D[bx * 4 + tx - (bx * 4 + tx), j]
