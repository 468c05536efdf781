# pass: tir.InjectVirtualThread
# differs from TVM: it refuses addresses
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    with T.launch_thread("vthread", 2) as vx:
        S = T.allocate([8], "float32", "local")
        S_1 = T.Buffer((8,), data=S, scope="local")
        for i in range(8):
            S_1[i] = A[vx * 32 + i]
        T.evaluate(T.call_extern("int32", "f", S))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    S_1 = T.allocate([16], "float32", "local")
    for i in range(8):
        S_1_1 = T.Buffer((16,), data=S_1, scope="local")
        S_1_1[T.Mul(0, 8) + i] = A[T.Mul(0, 32) + i]
        S_1_1[T.Mul(1, 8) + i] = A[T.Mul(1, 32) + i]
    T.call_extern("int32", "f", T.tvm_access_ptr(T.type_annotation("float32"), S_1, T.Mul(0, 8), 8, 3))
    T.call_extern("int32", "f", T.tvm_access_ptr(T.type_annotation("float32"), S_1, T.Mul(1, 8), 8, 3))
