# pass: tir.MakePackedAPI(convention="tvm-fii")
# raises: UnknownConvention
# differs from TVM: it has no such option
@T.prim_func
def main(A: T.Buffer((1,), "float32")):
    T.func_attr({"target": T.target("c", host="c")})
    A[0] = T.float32(0)

# after
error[TS4068]: unknown convention tvm-fii of packed calls; expected tvm-ffi or tvm-0.17
hint: did you mean tvm-ffi?
