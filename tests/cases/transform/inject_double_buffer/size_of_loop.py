# pass: tir.InjectDoubleBuffer
# raises: CannotDoubleBuffer
# differs from TVM: it allocates outside of the loop whose variable is in the extent
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(8):
        C = T.allocate([i + 1], "float32", "global")
        C_1 = T.Buffer((i + 1,), data=C)
        with T.attr(C, "double_buffer_scope", 1):
            for j in range(i + 1):
                C_1[j] = A[j]
        B[i] = C_1[i]

# after
error[TS4041]: the double buffer C_1 has another size in each iteration of i, which fills it
 --> <text>:6:14
  |
6 |         with T.attr(C, "double_buffer_scope", 1):
  |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
