# pass: tir.RemoveStoreUndef
# raises: UndefWithEffect
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    A[0] = T.call_extern("int32", "f") + T.undef(dtype="int32")

# after
error[TS4031]: a value that depends on T.undef() must have no side effect
 --> <text>:3:12
  |
3 |     A[0] = T.call_extern("int32", "f") + T.undef(dtype="int32")
  |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
