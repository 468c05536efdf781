# pass: tir.FP8StorageLegalize
# differs from TVM: it adds the bits
# raises: NarrowFloatComputed
@T.prim_func
def main(a: T.handle("e4m3_float8")):
    T.func_attr({"target": T.target("llvm")})
    A = T.decl_buffer((16,), "e4m3_float8", data=a)
    A[0] = A[0] + A[1]

# after
error[TS4071]: tir.FP8StorageLegalize cannot lower a Add of e4m3_float8; run tir.FP8ComputeLegalize first
 --> <text>:5:12
  |
5 |     A[0] = A[0] + A[1]
  |            ^^^^^^^^^^^
