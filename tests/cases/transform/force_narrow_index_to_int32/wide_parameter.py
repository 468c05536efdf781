# pass: tir.ForceNarrowIndexToInt32
# raises: WideBuffer
@T.prim_func
def main(A: T.Buffer((T.int64(128),), "int64")):
    for i in range(T.int64(128)):
        A[i] = i

# after
error[TS4072]: buffer A holds int64, which cannot be narrowed to int32
 --> <text>:2:13
  |
2 | def main(A: T.Buffer((T.int64(128),), "int64")):
  |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
