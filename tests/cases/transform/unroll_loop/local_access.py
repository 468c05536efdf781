# pass: tir.UnrollLoop(unroll_local_access=True)
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    C = T.decl_buffer((16,), "int32", scope="local")
    for i in range(3):
        C[i] = A[i]
    for i in range(3):
        B[i] = A[i] + C[2]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    C = T.decl_buffer((16,), "int32", scope="local")
    C[0] = A[0]
    C[1] = A[1]
    C[2] = A[2]
    for i in range(3):
        B[i] = A[i] + C[2]
