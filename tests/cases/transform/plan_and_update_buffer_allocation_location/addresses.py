# pass: tir.PlanAndUpdateBufferAllocationLocation
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((1024,), "float32"), C: T.Buffer((1024,), "float32")):
    # with T.block("root"):
    B = T.alloc_buffer((1024,))
    for i in range(8):
        with T.block(""):
            T.reads(A[i * 128:i * 128 + 128])
            T.writes(C[i * 128:i * 128 + 128])
            for j in range(8):
                with T.block(""):
                    T.reads(A[i * 128 + j * 16])
                    T.writes(B[i * 128 + j * 16])
                    T.call_extern("int32", "copy", B.data, A.data, i * 128 + j * 16)
            for j in range(8):
                with T.block(""):
                    T.reads(B[i * 128 + j * 16])
                    T.writes(C[i * 128 + j * 16])
                    T.call_extern("int32", "copy", C.data, B.data, i * 128 + j * 16)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((1024,), "float32"), C: T.Buffer((1024,), "float32")):
    # with T.block("root"):
    for i in range(8):
        with T.block(""):
            T.reads(A[i * 128:i * 128 + 128])
            T.writes(C[i * 128:i * 128 + 128])
            B = T.alloc_buffer((1024,))
            for j in range(8):
                with T.block(""):
                    T.reads(A[i * 128 + j * 16])
                    T.writes(B[i * 128 + j * 16])
                    T.call_extern("int32", "copy", B.data, A.data, i * 128 + j * 16)
            for j in range(8):
                with T.block(""):
                    T.reads(B[i * 128 + j * 16])
                    T.writes(C[i * 128 + j * 16])
                    T.call_extern("int32", "copy", C.data, B.data, i * 128 + j * 16)
