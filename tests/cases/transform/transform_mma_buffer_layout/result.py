# pass: tir.TransformMmaBufferLayout
# differs from TVM: the layout is known after an import there
@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), C: T.Buffer((64, 64), "float32")):
    with T.block("root"):
        T.reads(A[0:64, 0:64])
        T.writes(C[0:64, 0:64])
        MA = T.alloc_buffer((32, 8), "float16", scope="m16n8k8.matrixA")
        MB = T.alloc_buffer((8, 32), "float16", scope="m16n8k8.matrixB")
        MC = T.alloc_buffer((32, 32), "float32", scope="m16n8k8.matrixC")
        for i, j in T.grid(32, 32):
            with T.block("init"):
                T.reads()
                T.writes()
                MC[i, j] = T.float32(0)
        for i, j in T.grid(32, 32):
            with T.block("st"):
                T.reads()
                T.writes(C[i, j])
                C[i, j] = MC[i, j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), C: T.Buffer((64, 64), "float32")):
    with T.block("root"):
        T.reads(A[0:64, 0:64])
        T.writes(C[0:64, 0:64])
        MA = T.alloc_buffer((1, 1, 4, 2), "float16", scope="local")
        MB = T.alloc_buffer((1, 1, 1, 8), "float16", scope="local")
        MC = T.alloc_buffer((2, 4, 2, 2), scope="local")
        for i, j in T.grid(32, 32):
            with T.block("init"):
                T.reads()
                T.writes()
                MC[i // 16, j // 8, i % 16 // 8, j % 2] = T.float32(0)
        for i, j in T.grid(32, 32):
            with T.block("st"):
                T.reads()
                T.writes(C[i, j])
                C[i, j] = MC[i // 16, j // 8, i % 16 // 8, j % 2]
