# pass: tir.VectorizeLoop(is_predicated=True)
# differs from TVM: it has no masks of single lanes
# A lane runs, so that what does not depend on the lane is computed once.
@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    for i in T.vectorized(8):
        if i % 3 != 1:
            B[i] = A[5 // (n % 3 + 1)] + A[T.if_then_else(n > 0, 1, 2)]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    B.vstore([T.Ramp(0, 1, 8)], T.Broadcast(A[5 // (n % 3 + 1)] + A[T.if_then_else(n > 0, 1, 2)], 8), predicate=T.Ramp(0, 1, 8) % T.Broadcast(3, 8) != T.Broadcast(1, 8))
