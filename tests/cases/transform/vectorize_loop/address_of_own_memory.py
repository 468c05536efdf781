# pass: tir.VectorizeLoop
# differs from TVM: each lane has the address of the memory of all lanes
@T.prim_func
def main(A: T.Buffer((8,), "int32")):
    for i in T.vectorized(8):
        D = T.allocate([4], "int32", "global")
        if not T.isnullptr(D):
            A[i] = 3

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "int32")):
    for i_s in range(8):
        D = T.allocate([4], "int32", "global")
        if not T.isnullptr(D):
            A[i_s] = 3
