# pass: tir.MakeUnpackedAPI
# raises: UnboundVariables
# differs from TVM: it leaves n undefined
@T.prim_func
def main(a: T.handle):
    T.func_attr({"target": T.target("c", host="c")})
    n = T.int32()
    A = T.match_buffer(a, (n,))
    A[n - 1] = T.float32(0)

# after
error[TS4069]: main uses n, which no argument defines
 --> <text>:2:1
  |
2 | def main(a: T.handle):
  | ^^^^^^^^
