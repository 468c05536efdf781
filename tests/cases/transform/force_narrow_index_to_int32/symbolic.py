# pass: tir.ForceNarrowIndexToInt32
# values: not compared: n has another dtype
@T.prim_func
def main(a: T.handle, n: T.int64):
    A = T.match_buffer(a, (n, n * T.int64(2)))
    for i, j in T.grid(n, n * T.int64(2)):
        with T.block("zero"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads()
            T.writes(A[vi, vj])
            A[vi, vj] = T.float32(0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, n: T.int32):
    A = T.match_buffer(a, (n, n * 2))
    # with T.block("root"):
    for i, j in T.grid(n, n * 2):
        with T.block("zero"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads()
            T.writes(A[vi, vj])
            A[vi, vj] = T.float32(0)
