# pass: tir.Simplify
# a constant stays where it is written: in the dividend or next to the quotient
@T.prim_func
def main(A: T.Buffer((16,), "int32"), x: T.int32, y: T.int32):
    A[0] = (x + 1) // 2 - 1
    A[1] = (x - 1) // 2
    A[2] = (x + 5) // 4
    A[3] = (x + 5) // 4 + 1
    A[4] = (x + y + 1) // 2 - 1 + y
    A[5] = (x + 127) // 128 * 128 - 1
    A[6] = (x + 2) // 2
    for a, b in T.grid(8, 2):
        A[a] = (a * 4 + b * 2) // 8 * 4 + (a * 6 + b * 3) // 12
        A[a + 1] = (a * 4 + b * 2) % 8 + (a * 2 + 5) // 4 - 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "int32"), x: T.int32, y: T.int32):
    A[0] = (x + 1) // 2 - 1
    A[1] = (x - 1) // 2
    A[2] = (x + 5) // 4
    A[3] = (x + 5) // 4 + 1
    A[4] = (x + y + 1) // 2 + y - 1
    A[5] = (x + 127) // 128 * 128 - 1
    A[6] = x // 2 + 1
    for a, b in T.grid(8, 2):
        A[a] = a // 2 * 5
        A[a + 1] = a % 2 * 4 + b * 2 + a // 2
