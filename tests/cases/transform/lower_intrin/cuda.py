# pass: tir.LowerIntrin
@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float64"), H: T.Buffer((16,), "float16"), U: T.Buffer((16,), "uint32")):
    T.func_attr({"target": T.target("cuda -arch=sm_80")})
    for i in range(16):
        A[i] = T.exp(A[i]) * A[0] + T.sqrt(T.fabs(A[i]))
        D[i] = T.exp(D[i]) + T.pow(T.fabs(D[i]), D[i])
        H[i] = T.cos(H[i]) + T.fabs(H[i]) + T.erf(H[i])
        U[i] = T.popcount(U[i])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float64"), H: T.Buffer((16,), "float16"), U: T.Buffer((16,), "uint32")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    for i in range(16):
        A[i] = T.call_pure_extern("float32", "__expf", A[i]) * A[0] + T.call_pure_extern("float32", "sqrtf", T.call_pure_extern("float32", "fabsf", A[i]))
        D[i] = T.call_pure_extern("float64", "exp", D[i]) + T.call_pure_extern("float64", "pow", T.call_pure_extern("float64", "fabs", D[i]), D[i])
        H[i] = T.call_pure_extern("float16", "hcos", H[i]) + T.call_pure_extern("float16", "__habs", H[i]) + T.call_pure_extern("float16", "herf", H[i])
        U[i] = T.call_pure_extern("uint32", "__popc", U[i])
