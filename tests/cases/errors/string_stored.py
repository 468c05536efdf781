@T.prim_func
def main(A: T.Buffer((4,), "float32")):
    A[0] = "a"  # error: TS1003 '"a"'

# output
error[TS1003]: buffer A takes float32, but got "a"
 --> <text>:3:12
  |
3 |     A[0] = "a"  # error: TS1003 '"a"'
  |            ^^^
