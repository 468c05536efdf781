# pass: tir.UnrollLoop(keeps_vector_nests=True)
# differs from TVM: the option is ours
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i, j in T.grid(2, 2):
        for u in T.unroll(2):
            for v in T.unroll(2):
                if u < 1:
                    B[u * 32 + v * 16 + j:u * 32 + v * 16 + j + 4] = A[v * 4 + i:v * 4 + i + 4] * T.Broadcast(T.if_then_else(u < v, A[u], T.float32(0)), 4)
    for u in T.unroll(2):
        B[u] = A[u]
    for u in T.unroll(2):
        B[u:u + 8:2] = A[u:u + 4]
    for u in T.unroll(2):
        if A[u] < T.float32(1):
            B[u:u + 4] = A[0:4]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i, j in T.grid(2, 2):
        for u in T.unroll(2):
            for v in T.unroll(2):
                if u < 1:
                    B[u * 32 + v * 16 + j:u * 32 + v * 16 + j + 4] = A[v * 4 + i:v * 4 + i + 4] * T.Broadcast(T.if_then_else(u < v, A[u], T.float32(0)), 4)
    B[0] = A[0]
    B[1] = A[1]
    B[0:8:2] = A[0:4]
    B[1:9:2] = A[1:5]
    if A[0] < T.float32(1):
        B[0:4] = A[0:4]
    if A[1] < T.float32(1):
        B[1:5] = A[0:4]
