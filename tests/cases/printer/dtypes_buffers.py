# from tvm.script import tir as T

@T.prim_func(private=True)
def main():
    # with T.block("root"):
    B = T.alloc_buffer((4,), "bool")
    C = T.alloc_buffer((4,), "int8")
    D = T.alloc_buffer((4,), "int16")
    E = T.alloc_buffer((4,), "int32")
    F = T.alloc_buffer((4,), "int64")
    G = T.alloc_buffer((4,), "uint8")
    H = T.alloc_buffer((4,), "uint16")
    I_1 = T.alloc_buffer((4,), "uint32")
    J = T.alloc_buffer((4,), "uint64")
    K = T.alloc_buffer((4,), "float16")
    L = T.alloc_buffer((4,), "float64")
    M = T.alloc_buffer((4,), "bfloat16")
    N = T.alloc_buffer((4,), "e4m3_float8")
    O = T.alloc_buffer((4,), "e5m2_float8")
    P = T.alloc_buffer((4,), "int4")
    Q = T.alloc_buffer((4,), "uint4")
    R_1 = T.alloc_buffer((4,), "float32x4")
    S = T.alloc_buffer((4,), "handle")
    B[0] = B[1]
    C[0] = C[1]
    D[0] = D[1]
    E[0] = E[1]
    F[0] = F[1]
    G[0] = G[1]
    H[0] = H[1]
    I_1[0] = I_1[1]
    J[0] = J[1]
    K[0] = K[1]
    L[0] = L[1]
    M[0] = M[1]
    N[0] = N[1]
    O[0] = O[1]
    P[0] = P[1]
    Q[0] = Q[1]
    R_1[0] = R_1[1]
    S[0] = S[1]
