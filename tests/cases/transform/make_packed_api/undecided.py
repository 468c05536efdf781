# pass: tir.MakePackedAPI
# raises: UnboundVariables
# not well formed: nothing decides n
@T.prim_func
def main(a: T.handle):
    T.func_attr({"target": T.target("c", host="c")})
    n = T.int32()
    A = T.match_buffer(a, (n * 2,))
    A[0] = T.float32(n)

# after
error[TS4069]: main uses n, which no argument defines
 --> <text>:2:1
  |
2 | def main(a: T.handle):
  | ^^^^^^^^
