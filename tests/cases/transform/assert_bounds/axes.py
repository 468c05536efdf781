# pass: tir.AssertBounds
# values: not compared: the function may leave its buffer
# differs from TVM: it has no such pass
# An axis that may leave its domain is checked once; accesses rely on it.
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(n):
        with T.block("fill"):
            vi = T.axis.spatial(16, i)
            A[vi] = A[15 - vi] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    # with T.block("root"):
    for i in range(n):
        assert i >= 0 and i < 16, "<text>:5: an axis leaves its domain: i is not in [0, 16)"
        with T.block("fill"):
            vi = T.axis.spatial(16, i)
            T.reads(A[15 - vi])
            T.writes(A[vi])
            A[vi] = A[15 - vi] + T.float32(1)
