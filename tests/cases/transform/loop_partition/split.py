# pass: tir.LoopPartition(partition_const_loop=True)
# differs from TVM: sizes of the parts are written simplified
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i, j in T.grid(6, 4):
        if T.likely(i * 4 + j < 21):
            A[i * 4 + j] = n

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i, j in T.grid(5, 4):
        if T.bool(True):
            A[i * 4 + j] = n
    if T.bool(True):
        A[T.Add(T.Add(0, 5) * 4, 0)] = n
    for j in range(3):
        if T.bool(False):
            A[T.Add(0, 5) * 4 + (j + 1)] = n
