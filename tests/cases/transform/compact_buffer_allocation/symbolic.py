# pass: tir.CompactBufferAllocation
# values: not compared: arguments that are drawn do not have the shapes
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, c: T.handle, n: T.int32):
    A = T.match_buffer(a, (n * 8,))
    C = T.match_buffer(c, (n * 8,))
    # with T.block("root"):
    for i in range(n):
        with T.block(""):
            T.reads(A[i * 8:i * 8 + 8])
            T.writes(C[i * 8:i * 8 + 8])
            B = T.alloc_buffer((n * 8,))
            for j in range(8):
                with T.block(""):
                    T.reads(A[i * 8 + j])
                    T.writes(B[i * 8 + j])
                    B[i * 8 + j] = A[i * 8 + j] + T.float32(1)
            for j in range(8):
                with T.block(""):
                    T.reads(B[i * 8 + j])
                    T.writes(C[i * 8 + j])
                    C[i * 8 + j] = B[i * 8 + j] * T.float32(2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, c: T.handle, n: T.int32):
    A = T.match_buffer(a, (n * 8,))
    C = T.match_buffer(c, (n * 8,))
    # with T.block("root"):
    for i in range(n):
        with T.block(""):
            T.reads(A[i * 8:i * 8 + 8])
            T.writes(C[i * 8:i * 8 + 8])
            B = T.alloc_buffer((8,))
            for j in range(8):
                with T.block(""):
                    T.reads(A[i * 8 + j])
                    T.writes(B[i * 8 + j - i * 8])
                    B[i * 8 + j - i * 8] = A[i * 8 + j] + T.float32(1)
            for j in range(8):
                with T.block(""):
                    T.reads(B[i * 8 + j - i * 8])
                    T.writes(C[i * 8 + j])
                    C[i * 8 + j] = B[i * 8 + j - i * 8] * T.float32(2)
