# pass: tir.PlanAndUpdateBufferAllocationLocation
# differs from TVM: it keeps the numbers of writes that it removes
@T.prim_func
def main(A: T.Buffer((8, 8), "int32"), B: T.Buffer((8, 8), "int32")):
    Y = T.alloc_buffer((8, 8), "int32")
    Z = T.alloc_buffer((8, 8), "int32")
    for i in range(8):
        with T.block("Y"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0:8])
            T.writes(Y[vi, 0:8], Z[vi, 0:8])
            T.block_attr({"buffer_dim_align": [[0, 0, 8, 4], [1, 0, 16, 1]]})
            for j in range(8):
                Y[vi, j] = A[vi, j]
                Z[vi, j] = Y[vi, j]
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            for j in range(8):
                B[vi, j] = Z[vi, j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8, 8), "int32"), B: T.Buffer((8, 8), "int32")):
    # with T.block("root"):
    for i in range(8):
        with T.block(""):
            T.reads(A[i, 0:8])
            T.writes(B[i, 0:8])
            Z = T.alloc_buffer((8, 8), "int32")
            with T.block("Y"):
                vi = T.axis.spatial(8, i)
                T.reads(A[vi, 0:8])
                T.writes(Z[vi, 0:8])
                T.block_attr({"buffer_dim_align": [[0, 0, 16, 1]]})
                for j in range(8):
                    with T.block(""):
                        T.reads(A[vi, j])
                        T.writes(Z[vi, j])
                        Y = T.alloc_buffer((8, 8), "int32")
                        Y[vi, j] = A[vi, j]
                        Z[vi, j] = Y[vi, j]
            with T.block("B"):
                vi = T.axis.spatial(8, i)
                T.reads(Z[vi, 0:8])
                T.writes(B[vi, 0:8])
                for j in range(8):
                    B[vi, j] = Z[vi, j]
