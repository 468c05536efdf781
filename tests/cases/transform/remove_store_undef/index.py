# pass: tir.RemoveStoreUndef
# raises: UndefLeft
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    A[T.undef(dtype="int32")] = 5

# after
error[TS4030]: T.undef() is used for something other than the value of a store
 --> <text>:3:7
  |
3 |     A[T.undef(dtype="int32")] = 5
  |       ^^^^^^^^^^^^^^^^^^^^^^
