# pass: tir.PlanAndUpdateBufferAllocationLocation
# differs from TVM: it moves S into the loop whose iterations add to it
@T.prim_func
def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    S = T.alloc_buffer((1,), "float32")
    for i in range(16):
        with T.block("S"):
            vi = T.axis.reduce(16, i)
            T.reads(S[0], A[vi])
            T.writes(S[0])
            if vi == 0:
                S[0] = T.float32(0)
            S[0] = S[0] + A[vi]
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            T.reads(S[0])
            T.writes(C[vi])
            C[vi] = S[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    # with T.block("root"):
    S = T.alloc_buffer((1,))
    for i in range(16):
        with T.block("S"):
            vi = T.axis.reduce(16, i)
            T.reads(S[0], A[vi])
            T.writes(S[0])
            if vi == 0:
                S[0] = T.float32(0)
            S[0] = S[0] + A[vi]
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            T.reads(S[0])
            T.writes(C[vi])
            C[vi] = S[0]
