# pass: tir.SkipAssert
# values: not compared: what is asserted need not hold
@T.prim_func
def main(A: T.Buffer((64,), "int32"), n: T.int32):
    assert n > 0, "no data"
    for i in range(8):
        assert i < 9, "never"
        A[i] = n

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        A[i] = n
