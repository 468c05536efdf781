# pass: tir.InjectDoubleBuffer
# raises: CannotDoubleBuffer
@T.prim_func
def main(A: T.Buffer((400,), "float32"), C: T.Buffer((4,), "float32")):
    B = T.allocate([4], "float32", "shared")
    B_1 = T.Buffer((4,), data=B, scope="shared")
    with T.attr(B, "double_buffer_scope", 1):
        for j in range(4):
            B_1[j] = A[j]
    for j in range(4):
        C[j] = B_1[j]

# after
error[TS4041]: the double buffer B_1 is filled outside of any loop
 --> <text>:5:10
  |
5 |     with T.attr(B, "double_buffer_scope", 1):
  |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
