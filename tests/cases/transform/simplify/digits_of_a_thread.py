# pass: tir.Simplify
@T.prim_func
def main(B: T.Buffer((4096,), "int32")):
    for i, j, tx in T.grid(4, 4, 32):
        B[(j * 16 + tx // 16 * 8) // 32] = 1
        B[((i * 16 + tx % 8) * 32 + j * 16 + tx // 16 * 8) // 32] = 2
        B[(i * 1024 + tx % 16 * 64 + j * 16 + tx // 16 * 8) // 64] = 3
        B[(i * 1024 + tx % 16 * 32 + j * 16 + tx // 16 * 8) // 32] = 4
        B[(tx % 16 * 64 + tx // 16 * 8) // 64] = 5
        B[(tx % 16 * 64 + j * 16) // 64] = 6

# after
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((4096,), "int32")):
    for i, j, tx in T.grid(4, 4, 32):
        B[j // 2] = 1
        B[i * 16 + j // 2 + tx % 8] = 2
        B[i * 16 + tx % 16] = 3
        B[i * 32 + j // 2 + tx % 16] = 4
        B[tx % 16] = 5
        B[tx % 16] = 6
