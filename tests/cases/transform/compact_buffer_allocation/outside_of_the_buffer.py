# pass: tir.CompactBufferAllocation(is_strict=False)
# values: not compared: the program accesses what is not there
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((30,), "float32"), B: T.Buffer((30,), "float32")):
    # with T.block("root"):
    for i in range(4):
        with T.block(""):
            T.reads(A[T.min(i * 8, 29):T.min(i * 8, 29) + (T.min(i * 8 + 7, 29) + 1 - T.min(i * 8, 29))])
            T.writes(B[i * 8:i * 8 + 8])
            P = T.alloc_buffer((30,))
            for j in range(8):
                P[i * 8 + j] = T.if_then_else(i * 8 + j < 30, A[T.min(i * 8 + j, 29)], T.float32(0))
            for j in range(8):
                if i * 8 + j < 30:
                    B[i * 8 + j] = P[i * 8 + j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((30,), "float32"), B: T.Buffer((30,), "float32")):
    # with T.block("root"):
    for i in range(4):
        with T.block(""):
            T.reads(A[T.min(i * 8, 29):T.min(i * 8, 29) + (T.min(i * 8 + 7, 29) + 1 - T.min(i * 8, 29))])
            T.writes(B[i * 8:i * 8 + 8])
            P = T.alloc_buffer((8,))
            for j in range(8):
                P[i * 8 + j - i * 8] = T.if_then_else(i * 8 + j < 30, A[T.min(i * 8 + j, 29)], T.float32(0))
            for j in range(8):
                if i * 8 + j < 30:
                    B[i * 8 + j] = P[i * 8 + j - i * 8]
