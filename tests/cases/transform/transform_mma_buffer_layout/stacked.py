# pass: tir.TransformMmaBufferLayout
# differs from TVM: it fails for results of more than two dimensions
@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), C: T.Buffer((64, 64), "float32")):
    with T.block("root"):
        T.reads(A[0:64, 0:64])
        T.writes(C[0:64, 0:64])
        MA = T.alloc_buffer((32, 8), "float16", scope="m16n8k8.matrixA")
        MB = T.alloc_buffer((8, 32), "float16", scope="m16n8k8.matrixB")
        MC = T.alloc_buffer((2, 32, 32), "float32", scope="m16n8k8.matrixC")
        for i, j in T.grid(32, 32):
            with T.block("init"):
                T.reads()
                T.writes()
                MC[1, i, j] = T.float32(0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), C: T.Buffer((64, 64), "float32")):
    with T.block("root"):
        T.reads(A[0:64, 0:64])
        T.writes(C[0:64, 0:64])
        MA = T.alloc_buffer((1, 1, 4, 2), "float16", scope="local")
        MB = T.alloc_buffer((1, 1, 1, 8), "float16", scope="local")
        MC = T.alloc_buffer((2, 2, 4, 2, 2), scope="local")
        for i, j in T.grid(32, 32):
            with T.block("init"):
                T.reads()
                T.writes()
                MC[1, i // 16, j // 8, i % 16 // 8, j % 2] = T.float32(0)
