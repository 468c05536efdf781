# pass: tir.LowerIntrin
# float16 has no functions in C: they stay
@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float64"), H: T.Buffer((16,), "float16")):
    T.func_attr({"target": T.target("c")})
    for i in range(16):
        A[i] = T.exp(A[i]) * A[0] + T.atan2(A[i], A[0])
        D[i] = T.sqrt(T.fabs(D[i])) + T.ldexp(D[i], 3)
        H[i] = T.exp(H[i])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float64"), H: T.Buffer((16,), "float16")):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    for i in range(16):
        A[i] = T.call_pure_extern("float32", "expf", A[i]) * A[0] + T.call_pure_extern("float32", "atan2f", A[i], A[0])
        D[i] = T.call_pure_extern("float64", "sqrt", T.fabs(D[i])) + T.call_pure_extern("float64", "ldexp", D[i], 3)
        H[i] = T.exp(H[i])
