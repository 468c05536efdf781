# pass: tir.InjectDoubleBuffer
# differs from TVM: it fills the buffer from what the iteration has not computed yet
# raises: CannotDoubleBuffer
@T.prim_func
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.allocate([1], "int32", "global")
    D = T.allocate([1], "int32", "global")
    B_1 = T.Buffer((1,), "int32", data=B)
    D_1 = T.Buffer((1,), "int32", data=D)
    for i in range(8):
        B_1[0] = A[i] * 2
        with T.attr(D, "double_buffer_scope", 1):
            D_1[0] = B_1[0] + 1
        C[i] = D_1[0]

# after
error[TS4041]: the double buffer D_1 is filled from B_1, which the same iteration computes
 --> <text>:9:14
  |
9 |         with T.attr(D, "double_buffer_scope", 1):
  |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
