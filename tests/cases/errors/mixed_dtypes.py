@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0] = T.float16(1) + T.bfloat16(2)  # error: TS1002 "T.float16(1) + "

# output
error[TS1002]: Add: the data types float16 and bfloat16 do not go together
 --> <text>:3:12
  |
3 |     A[0] = T.float16(1) + T.bfloat16(2)  # error: TS1002 "T.float16(1) + "
  |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
hint: make both of one type
