# pass: tir.PlanAndUpdateBufferAllocationLocation
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for i in range(16):
        with T.block("outer"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0:16])
            T.writes(C[vi, 0:16])
            B = T.alloc_buffer((16, 16), "float32")
            for jo in range(4):
                for j in range(4):
                    with T.block("B"):
                        vj = T.axis.spatial(16, jo * 4 + j)
                        B[vi, vj] = A[vi, vj] + T.float32(1)
                for j in range(4):
                    with T.block("C"):
                        vj = T.axis.spatial(16, jo * 4 + j)
                        C[vi, vj] = B[vi, vj] * T.float32(2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    for i in range(16):
        with T.block("outer"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0:16])
            T.writes(C[vi, 0:16])
            for jo in range(4):
                with T.block(""):
                    T.reads(A[vi, jo * 4:jo * 4 + 4])
                    T.writes(C[vi, jo * 4:jo * 4 + 4])
                    B = T.alloc_buffer((16, 16))
                    for j in range(4):
                        with T.block("B"):
                            vj = T.axis.spatial(16, jo * 4 + j)
                            T.reads(A[vi, vj])
                            T.writes(B[vi, vj])
                            B[vi, vj] = A[vi, vj] + T.float32(1)
                    for j in range(4):
                        with T.block("C"):
                            vj = T.axis.spatial(16, jo * 4 + j)
                            T.reads(B[vi, vj])
                            T.writes(C[vi, vj])
                            C[vi, vj] = B[vi, vj] * T.float32(2)
