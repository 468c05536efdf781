# pass: tir.CompactBufferAllocation
@T.prim_func
def main(A: T.Buffer((30,), "float32"), C: T.Buffer((30,), "float32")):
    for i in range(8):
        with T.block():
            T.reads(A[i * 4:i * 4 + 4])
            T.writes(C[i * 4:i * 4 + 4])
            B = T.alloc_buffer((30,), "float32")
            for j in range(4):
                with T.block():
                    T.where(i * 4 + j < 30)
                    T.reads(A[i * 4 + j])
                    T.writes(B[i * 4 + j])
                    B[i * 4 + j] = A[i * 4 + j]
            for j in range(4):
                with T.block():
                    T.where(i * 4 + j < 30)
                    T.reads(B[i * 4 + j])
                    T.writes(C[i * 4 + j])
                    C[i * 4 + j] = B[i * 4 + j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((30,), "float32"), C: T.Buffer((30,), "float32")):
    # with T.block("root"):
    for i in range(8):
        with T.block(""):
            T.reads(A[i * 4:i * 4 + 4])
            T.writes(C[i * 4:i * 4 + 4])
            B = T.alloc_buffer((4,))
            for j in range(4):
                with T.block(""):
                    T.where(i * 4 + j < 30)
                    T.reads(A[i * 4 + j])
                    T.writes(B[i * 4 + j - i * 4])
                    B[i * 4 + j - i * 4] = A[i * 4 + j]
            for j in range(4):
                with T.block(""):
                    T.where(i * 4 + j < 30)
                    T.reads(B[i * 4 + j - i * 4])
                    T.writes(C[i * 4 + j])
                    C[i * 4 + j] = B[i * 4 + j - i * 4]
