# pass: tir.NarrowDataType(32)
@T.prim_func
def main(A: T.Buffer((T.int64(16), T.int64(16)), "float32"), B: T.Buffer((T.int64(16),), "float32")):
    W = T.alloc_buffer((T.int64(16),), "float32")
    for i, j in T.grid(T.int64(16), T.int64(16)):
        with T.block("sum"):
            T.where(i * T.int64(16) + j < T.int64(250))
            vi, vj = T.axis.remap("SR", [i, j])
            T.reads(A[vi, vj])
            T.writes(W[vi])
            with T.init():
                W[vi] = T.float32(0)
            W[vi] = W[vi] + A[vi, vj]
    for i in range(T.int64(16)):
        with T.block("copy"):
            vi = T.axis.spatial(T.int64(16), i)
            T.reads(W[vi])
            T.writes(B[vi])
            B[vi] = W[vi]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((T.int64(16), T.int64(16)), "float32"), B: T.Buffer((T.int64(16),), "float32")):
    # with T.block("root"):
    W = T.alloc_buffer((T.int64(16),))
    for i, j in T.grid(16, 16):
        with T.block("sum"):
            vi, vj = T.axis.remap("SR", [i, j])
            T.where(i * 16 + j < 250)
            T.reads(A[vi, vj])
            T.writes(W[vi])
            with T.init():
                W[vi] = T.float32(0)
            W[vi] = W[vi] + A[vi, vj]
    for i in range(16):
        with T.block("copy"):
            vi = T.axis.spatial(16, i)
            T.reads(W[vi])
            T.writes(B[vi])
            B[vi] = W[vi]
