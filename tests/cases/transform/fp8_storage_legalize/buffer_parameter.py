# pass: tir.FP8StorageLegalize
# raises: NarrowFloatParameter
@T.prim_func
def main(A: T.Buffer((16,), "e4m3_float8")):
    for i in range(15):
        A[i] = A[i + 1]

# after
error[TS4070]: tir.FP8StorageLegalize cannot change the dtype e4m3_float8 of parameter A; run tir.MakePackedAPI first
 --> <text>:2:1
  |
2 | def main(A: T.Buffer((16,), "e4m3_float8")):
  | ^^^^^^^^
