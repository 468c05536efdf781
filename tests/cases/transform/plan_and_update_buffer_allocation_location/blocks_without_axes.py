# pass: tir.PlanAndUpdateBufferAllocationLocation
# differs from TVM: it moves Y into the loop whose iterations read what others have written
@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), D: T.Buffer((8, 4), "int32")):
    Y = T.alloc_buffer((8,), "int32")
    W = T.alloc_buffer((8, 4), "int32")
    Z = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("Y"):
            Y[i] = A[i] + 1
            Z[i] = A[i] + 2
        with T.block("B"):
            B[i] = Y[i] + T.if_then_else(i > 0, Y[i - 1], 0)
        with T.block("C"):
            C[i] = Z[i]
        for j in range(4):
            with T.block("W"):
                W[i, j] = A[i] + j
        for k in range(4):
            with T.block("D"):
                D[i, k] = W[i, k]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), D: T.Buffer((8, 4), "int32")):
    # with T.block("root"):
    Y = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block(""):
            T.reads(A[i], Y[i - 1:i - 1 + 2])
            T.writes(Y[i], B[i], C[i], D[i, 0:4])
            W = T.alloc_buffer((8, 4), "int32")
            Z = T.alloc_buffer((8,), "int32")
            with T.block("Y"):
                T.reads(A[i])
                T.writes(Y[i], Z[i])
                Y[i] = A[i] + 1
                Z[i] = A[i] + 2
            with T.block("B"):
                T.reads(Y[i - 1:i - 1 + 2])
                T.writes(B[i])
                B[i] = Y[i] + T.if_then_else(i > 0, Y[i - 1], 0)
            with T.block("C"):
                T.reads(Z[i])
                T.writes(C[i])
                C[i] = Z[i]
            for j in range(4):
                with T.block("W"):
                    T.reads(A[i])
                    T.writes(W[i, j])
                    W[i, j] = A[i] + j
            for k in range(4):
                with T.block("D"):
                    T.reads(W[i, k])
                    T.writes(D[i, k])
                    D[i, k] = W[i, k]
