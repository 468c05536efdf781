# pass: tir.BF16StorageLegalize
# raises: NarrowFloatParameter
@T.prim_func
def main(A: T.Buffer((16,), "bfloat16")):
    for i in range(15):
        A[i] = A[i + 1]

# after
error[TS4070]: tir.BF16StorageLegalize cannot change the dtype bfloat16 of parameter A; run tir.MakePackedAPI first
 --> <text>:2:1
  |
2 | def main(A: T.Buffer((16,), "bfloat16")):
  | ^^^^^^^^
