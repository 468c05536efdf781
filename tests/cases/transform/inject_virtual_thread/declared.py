# pass: tir.InjectVirtualThread
# differs from TVM: its buffer does not have the shape of the memory
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    with T.launch_thread("vthread", 2) as vx:
        S = T.decl_buffer([8], "float32", scope="local")
        for i in range(8):
            S[i] = A[vx * 32 + i]
        for i in range(8):
            B[vx * 32 + i] = S[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    S = T.decl_buffer((16,), scope="local")
    for i in range(8):
        S[T.Mul(0, 8) + i] = A[T.Mul(0, 32) + i]
        S[T.Mul(1, 8) + i] = A[T.Mul(1, 32) + i]
    for i in range(8):
        B[T.Mul(0, 32) + i] = S[T.Mul(0, 8) + i]
        B[T.Mul(1, 32) + i] = S[T.Mul(1, 8) + i]
