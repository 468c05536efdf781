# pass: tir.ForceNarrowIndexToInt32
# raises: ConstantTooWide
@T.prim_func
def main(A: T.Buffer((T.int64(128),), "float32")):
    for i in range(T.int64(128)):
        A[(i + T.int64(5000000000)) % T.int64(128)] = T.float32(0)

# after
error[TS4073]: the constant 5000000000 does not fit in int32
 --> <text>:4:16
  |
4 |         A[(i + T.int64(5000000000)) % T.int64(128)] = T.float32(0)
  |                ^^^^^^^^^^^^^^^^^^^
