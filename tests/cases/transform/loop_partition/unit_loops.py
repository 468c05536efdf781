# pass: tir.LoopPartition(partition_const_loop=True, no_unroll_loop_with_extent_one=True)
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(21):
        if T.likely(i == 5):
            A[i] = n

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(5):
        if i == 5:
            A[i] = n
    for i in range(1):
        if T.bool(True):
            A[i + 5] = n
    for i in range(15):
        if i + 6 == 5:
            A[i + 6] = n
