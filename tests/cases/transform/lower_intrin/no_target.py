# pass: tir.LowerIntrin
# raises: NoTarget
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    A[0] = T.exp(A[1])

# after
error[TS4061]: tir.LowerIntrin requires a target of main; run tir.BindTarget first
 --> <text>:2:1
  |
2 | def main(A: T.Buffer((16,), "float32")):
  | ^^^^^^^^
