# pass: tir.InjectPermutedLayout
# differs from TVM: the oracle's own change allows rows of 512 bits alone; 0.27 does the same as here
@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 64), "float16")):
    with T.block("root"):
        T.reads(A[0:64, 0:64])
        T.writes(B[0:64, 0:64])
        S = T.alloc_buffer((64, 64), "float16", scope="shared")
        L = T.alloc_buffer((32, 8), "float16", scope="local")
        for f in range(4):
            for ty in T.thread_binding(4, thread="threadIdx.y"):
                for tx in T.thread_binding(32, thread="threadIdx.x"):
                    for v in T.vectorized(8):
                        with T.block("w"):
                            T.reads(A[(f * 1024 + ty * 256 + tx * 8 + v) // 64, (f * 1024 + ty * 256 + tx * 8 + v) % 64])
                            T.writes(S[(f * 1024 + ty * 256 + tx * 8 + v) // 64, (f * 1024 + ty * 256 + tx * 8 + v) % 64])
                            T.block_attr({"permuted_layout": "g2s_A"})
                            S[(f * 1024 + ty * 256 + tx * 8 + v) // 64, (f * 1024 + ty * 256 + tx * 8 + v) % 64] = A[(f * 1024 + ty * 256 + tx * 8 + v) // 64, (f * 1024 + ty * 256 + tx * 8 + v) % 64]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 64), "float16")):
    with T.block("root"):
        T.reads(A[0:64, 0:64])
        T.writes(B[0:64, 0:64])
        S = T.alloc_buffer((64, 64), "float16", scope="shared")
        L = T.alloc_buffer((32, 8), "float16", scope="local")
        for f in range(4):
            for ty in T.thread_binding(4, thread="threadIdx.y"):
                for tx in T.thread_binding(32, thread="threadIdx.x"):
                    for v in T.vectorized(8):
                        with T.block("w"):
                            T.reads(A[(f * 1024 + ty * 256 + tx * 8 + v) // 64, (f * 1024 + ty * 256 + tx * 8 + v) % 64])
                            T.writes(S[(f * 1024 + ty * 256 + tx * 8 + v) // 64, (f * 1024 + ty * 256 + tx * 8 + v) % 64])
                            S[(f * 1024 + ty * 256 + tx * 8 + v) // 64, T.bitwise_xor(tx % 8, ty % 2 * 4 + tx // 8) * 8 + v] = A[(f * 1024 + ty * 256 + tx * 8 + v) // 64, (f * 1024 + ty * 256 + tx * 8 + v) % 64]
