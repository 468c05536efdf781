# pass: tir.VectorizeLoop(is_predicated=True)
# differs from TVM: it has no masks of single lanes
@T.prim_func
def main(A: T.Buffer((8,), "int32")):
    for i in T.vectorized(8):
        A[i] = T.call_extern("int32", "next", i)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "int32")):
    for i_s in range(8):
        A[i_s] = T.call_extern("int32", "next", i_s)
