# pass: tir.CompactBufferAllocation
@T.prim_func
def main(A: T.Buffer((18, 18), "float32"), C: T.Buffer((16, 16), "float32")):
    for io, jo in T.grid(4, 4):
        with T.block():
            T.reads(A[io * 4:io * 4 + 6, jo * 4:jo * 4 + 6])
            T.writes(C[io * 4:io * 4 + 4, jo * 4:jo * 4 + 4])
            B = T.alloc_buffer((18, 18), "float32")
            for i, j in T.grid(6, 6):
                with T.block():
                    T.reads(A[io * 4 + i, jo * 4 + j])
                    T.writes(B[io * 4 + i, jo * 4 + j])
                    B[io * 4 + i, jo * 4 + j] = A[io * 4 + i, jo * 4 + j]
            for i, j in T.grid(4, 4):
                with T.block():
                    T.reads(B[io * 4 + i:io * 4 + i + 3, jo * 4 + j:jo * 4 + j + 3])
                    T.writes(C[io * 4 + i, jo * 4 + j])
                    C[io * 4 + i, jo * 4 + j] = B[io * 4 + i, jo * 4 + j] + B[io * 4 + i + 2, jo * 4 + j + 2]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((18, 18), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    for io, jo in T.grid(4, 4):
        with T.block(""):
            T.reads(A[io * 4:io * 4 + 6, jo * 4:jo * 4 + 6])
            T.writes(C[io * 4:io * 4 + 4, jo * 4:jo * 4 + 4])
            B = T.alloc_buffer((6, 6))
            for i, j in T.grid(6, 6):
                with T.block(""):
                    T.reads(A[io * 4 + i, jo * 4 + j])
                    T.writes(B[io * 4 + i - io * 4, jo * 4 + j - jo * 4])
                    B[io * 4 + i - io * 4, jo * 4 + j - jo * 4] = A[io * 4 + i, jo * 4 + j]
            for i, j in T.grid(4, 4):
                with T.block(""):
                    T.reads(B[io * 4 + i - io * 4:io * 4 + i - io * 4 + 3, jo * 4 + j - jo * 4:jo * 4 + j - jo * 4 + 3])
                    T.writes(C[io * 4 + i, jo * 4 + j])
                    C[io * 4 + i, jo * 4 + j] = B[io * 4 + i - io * 4, jo * 4 + j - jo * 4] + B[io * 4 + i + 2 - io * 4, jo * 4 + j + 2 - jo * 4]
