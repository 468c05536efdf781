# pass: tir.InjectDoubleBuffer(split_loop=3)
# raises: UnevenSplit
@T.prim_func
def main(A: T.Buffer((404,), "float32"), C: T.Buffer((4,), "float32")):
    for i in range(101):
        B = T.allocate([4], "float32", "shared")
        B_1 = T.Buffer((4,), data=B, scope="shared")
        with T.attr(B, "double_buffer_scope", 1):
            for j in range(4):
                B_1[j] = A[i * 4 + j]
        for j in range(4):
            C[j] = B_1[j] + T.float32(1)

# after
error[TS4042]: split_loop must be 0, 1 or even, got 3
