@T.prim_func
def main(A: T.Buffer((16, 8), "float32"), B: T.Buffer((8, 12), "float32"), C: T.Buffer((16, 12), "float32")):
    T.func_attr({"tir.noalias": True})
    D = T.alloc_buffer((16, 12))
    for i, j, k in T.grid(16, 12, 8):
        with T.block("product"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                D[vi, vj] = T.float32(0)
            D[vi, vj] = D[vi, vj] + A[vi, vk] * B[vk, vj]
    for i in T.parallel(16):
        for j in T.vectorized(12):
            with T.block("relu"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.block_attr({"tag": "relu", "level": 2})
                C[vi, vj] = T.max(D[vi, vj], T.float32(0))
