@T.prim_func
def main(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32"), C: T.Buffer((32,), "uint8")):
    for i in range(32):
        low: T.int32 = T.bitwise_and(A[i], 255)
        B[i] = T.bitwise_or(T.shift_left(low, 3), T.bitwise_xor(T.shift_right(A[i], 2), 7)) - T.bitwise_not(low)
        if T.bitwise_and(A[i], 1) == 0 and i % 3 != 1 or A[i] < -5:
            B[i] = (B[i] + 5) // 3 * 2 + B[i] % 7 - T.truncdiv(A[i], 4) - T.truncmod(A[i], 5)
        else:
            B[i] = T.min(B[i], 100) + T.Cast("int32", C[i])
        C[i] = T.Cast("uint8", T.popcount(A[i])) + T.uint8(200)
