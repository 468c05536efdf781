# pass: tir.RenormalizeSplitPattern
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i, j, k in T.grid(2, 4, 8):
        A[(i * 8 + k) // 32] = (n * 16 + k) % 64 // 32
        B[(i * 32 + j * 8 + k) // 64] = (i * 8 + k) // 4

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i, j, k in T.grid(2, 4, 8):
        A[(i + k // 8) // 4] = (n + k // 16) // 2 % 2
        B[(i + (j + k // 8) // 4) // 2] = i * 2 + k // 4
