# pass: tir.MakePackedAPI
# raises: ReturnInParallel
@T.prim_func
def main(A: T.Buffer((4,), "int32")) -> T.int32:
    T.func_attr({"target": T.target("c", host="c")})
    for i in T.parallel(4):
        if A[i] == 0:
            T.ret(0)

# after
error[TS4018]: a return inside of a parallel loop is not supported
 --> <text>:6:13
  |
6 |             T.ret(0)
  |             ^^^^^^^^
