# pass: tir.FP8StorageLegalize
# values: not compared: the parameter is a pointer
@T.prim_func
def main(a: T.handle("e4m3_float8"), n: T.int32):
    T.func_attr({"target": T.target("llvm")})
    A = T.decl_buffer((16,), "e4m3_float8", data=a)
    W = T.decl_buffer((16,), "e4m3_float8")
    for i in range(16):
        W[i] = A[i]
        A[i] = T.reinterpret("e4m3_float8", T.reinterpret("uint8", W[i]) + T.uint8(1))
    A[0:4] = T.Broadcast(W[3], 4)
    A[5] = T.Select(n < 3, W[0], W[1])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.handle("uint8", "global"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "llvm", "tag": ""})})
    A_1 = T.decl_buffer((16,), "uint8", data=A)
    W = T.decl_buffer((16,), "uint8")
    for i in range(16):
        W[i] = A_1[i]
        A_1[i] = W[i] + T.uint8(1)
    A_1[0:4] = T.Broadcast(W[3], 4)
    A_1[5] = T.Select(n < 3, W[0], W[1])
