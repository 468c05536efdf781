# pass: tir.Simplify(propagate_knowns_to_simplify_expressions=True)
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    A[0] = 0
    B[0] = A[0] + n
    for i in range(1, 16):
        A[i] = i * 2
    for j in range(1, 16):
        B[j] = A[j] + 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    A[0] = 0
    B[0] = n
    for i in range(1, 16):
        A[i] = i * 2
    for j in range(1, 16):
        B[j] = j * 2 + 1
