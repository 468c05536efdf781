# pass: tir.RenormalizeSplitPattern
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i, k in T.grid(4, 8):
        if i * 8 + k < 20:
            A[i * 8 + k] = n
        if 8 <= i * 8 + k:
            B[i * 8 + k] = T.if_then_else(n % 8 < 4, 1, 2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i, k in T.grid(4, 8):
        if (i * 2 + k // 4) // 5 < 1:
            A[i * 8 + k] = n
        if 1 <= i + k // 8:
            B[i * 8 + k] = T.if_then_else(n // 4 % 2 < 1, 1, 2)
