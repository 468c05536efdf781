# pass: tir.BF16StorageLegalize
# differs from TVM: it adds the bits
# raises: NarrowFloatComputed
@T.prim_func
def main(a: T.handle("bfloat16")):
    A = T.decl_buffer((16,), "bfloat16", data=a)
    A[0] = A[0] + A[1]

# after
error[TS4071]: tir.BF16StorageLegalize cannot lower a Add of bfloat16; run tir.BF16ComputeLegalize first
 --> <text>:4:12
  |
4 |     A[0] = A[0] + A[1]
  |            ^^^^^^^^^^^
