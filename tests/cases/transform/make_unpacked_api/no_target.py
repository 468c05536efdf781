# pass: tir.MakeUnpackedAPI
# values: not compared: the parameters are others
# raises: NoTarget
@T.prim_func
def main(A: T.Buffer((1,), "float32")):
    A[0] = T.float32(0)

# after
error[TS4061]: tir.MakeUnpackedAPI requires a target of main; run tir.BindTarget first
 --> <text>:2:1
  |
2 | def main(A: T.Buffer((1,), "float32")):
  | ^^^^^^^^
