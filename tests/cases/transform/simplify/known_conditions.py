# pass: tir.Simplify
@T.prim_func
def main(A: T.Buffer((16,), "int32"), b: T.bool, x: T.float32, n: T.int32):
    if b and n < 3:
        if b:
            A[0] = 1
        else:
            A[0] = 2
    if x < T.float32(3):
        if x < T.float32(3):
            A[1] = 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "int32"), b: T.bool, x: T.float32, n: T.int32):
    if b and n < 3:
        A[0] = 1
    if x < T.float32(3):
        A[1] = 1
