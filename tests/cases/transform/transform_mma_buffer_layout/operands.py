# pass: tir.TransformMmaBufferLayout
@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), C: T.Buffer((64, 64), "float32")):
    with T.block("root"):
        T.reads(A[0:64, 0:64])
        T.writes(C[0:64, 0:64])
        MA = T.alloc_buffer((32, 8), "float16", scope="m16n8k8.matrixA")
        MB = T.alloc_buffer((8, 32), "float16", scope="m16n8k8.matrixB")
        MC = T.alloc_buffer((32, 32), "float32", scope="m16n8k8.matrixC")
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("ld"):
                T.reads(A[0:32, 0:8])
                T.writes()
                T.ptx_ldmatrix("float16", T.bool(False), 4, ".b16", MA.data, 0, T.tvm_access_ptr(T.type_annotation("float16"), A.data, 0, 256, 1), tx * 8)
                T.ptx_mma("float32", "m16n8k8", "row", "col", "fp16", "fp16", "fp32", MA.data, 0, MB.data, 4, MC.data, 8, T.bool(False))

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
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("ld"):
                T.reads(A[0:32, 0:8])
                T.writes()
                T.ptx_ldmatrix("float16", T.bool(False), 4, ".b16", MA.data, 0, T.tvm_access_ptr(T.type_annotation("float16"), A.data, 0, 256, 1), tx * 8)
                T.ptx_mma("float32", "m16n8k8", "row", "col", "fp16", "fp16", "fp32", MA.data, 0, MB.data, 4, MC.data, 8, T.bool(False))
