# pass: tir.Simplify
# differs from TVM: it keeps assertions that hold
@T.prim_func
def main(A: T.Buffer((64,), "float32"), n: T.int32):
    for i in range(16):
        x: T.int32 = i * 4
        y: T.float32 = A[x] + T.float32(1)
        assert x < 64, "never"
        A[x // 2 + x % 2] = y * y
    assert n < 64, "too large"
    if n < 65:
        A[0] = T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), n: T.int32):
    for i in range(16):
        y: T.float32 = A[i * 4] + T.float32(1)
        assert T.bool(True), "never"
        A[i * 2] = y * y
    assert n < 64, "too large"
    A[0] = T.float32(1)
