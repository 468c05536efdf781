# pass: tir.CompactBufferAllocation
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((20,), "float32"), n: T.int32):
    # with T.block("root"):
    for i in range(20):
        with T.block(""):
            T.reads()
            T.writes(A[i])
            B = T.alloc_buffer((64,))
            C = T.alloc_buffer((64,))
            for j in range(i):
                B[j] = T.float32(1)
                C[j + i] = T.float32(2)
            A[i] = T.if_then_else(i > 0, B[0] + C[i], T.float32(0))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((20,), "float32"), n: T.int32):
    # with T.block("root"):
    for i in range(20):
        with T.block(""):
            T.reads()
            T.writes(A[i])
            B = T.alloc_buffer((19,))
            C = T.alloc_buffer((19,))
            for j in range(i):
                B[j] = T.float32(1)
                C[j + i - i] = T.float32(2)
            A[i] = T.if_then_else(i > 0, B[0] + C[i - i], T.float32(0))
