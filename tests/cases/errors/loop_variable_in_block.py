@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(16):
        with T.block("x"):
            v = T.axis.spatial(16, i)
            T.reads()
            T.writes(A[v])
            A[i] = 1.0  # error: TS1103 "A[i]"

# output
error[TS1103]: block x uses the variable i of a loop around it; only the bindings of its axes may
 --> <text>:8:13
  |
8 |             A[i] = 1.0  # error: TS1103 "A[i]"
  |             ^^^^^^^^^^
note: the block begins here
 --> <text>:4:14
  |
4 |         with T.block("x"):
  |              ^^^^^^^^^^^^
hint: bind it to an axis: v = T.axis.spatial(extent, i)
