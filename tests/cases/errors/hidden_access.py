@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(4):
        with T.block("x"):  # error: TS1040 "T.block"
            v = T.axis.spatial(4, i)
            T.call_extern("int32", "f", A.data, v)

# output
error[TS1040]: block x uses the address of A: what it reads and writes there cannot be seen
 --> <text>:4:14
  |
4 |         with T.block("x"):  # error: TS1040 "T.block"
  |              ^^^^^^^^^^^^
hint: write its T.reads and T.writes
