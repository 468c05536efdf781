# pass: tir.BF16StorageLegalize
# values: not compared: the parameter is a pointer
@T.prim_func
def main(a: T.handle("bfloat16"), n: T.int32):
    A = T.decl_buffer((16,), "bfloat16", data=a)
    W = T.decl_buffer((16,), "bfloat16")
    for i in range(16):
        W[i] = A[i]
        A[i] = T.reinterpret("bfloat16", T.reinterpret("uint16", W[i]) + T.uint16(1))
    A[0:4] = T.Broadcast(W[3], 4)
    A[5] = T.Select(n < 3, W[0], W[1])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.handle("uint16", "global"), n: T.int32):
    A_1 = T.decl_buffer((16,), "uint16", data=A)
    W = T.decl_buffer((16,), "uint16")
    for i in range(16):
        W[i] = A_1[i]
        A_1[i] = W[i] + T.uint16(1)
    A_1[0:4] = T.Broadcast(W[3], 4)
    A_1[5] = T.Select(n < 3, W[0], W[1])
