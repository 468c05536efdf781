# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    for i, j, k, l in T.grid(16, 8, 4, 2):
        with T.block("all"):
            vi, vj = T.axis.remap("SR", [i, j])
            vk = T.axis.scan(4, k)
            vl = T.axis.opaque(2, l)
            T.reads(A[vi])
            T.writes(A[vi])
            A[vi] = T.float32(1)
    for i, j in T.grid(16, 8):
        with T.block("where"):
            vi, vj = T.axis.remap("SR", [i, j])
            T.where(i * 8 + j < 100)
            T.reads(A[vi])
            T.writes(A[vi])
            T.block_attr({"a": 1, "b": [1, 2], "c": "s"})
            with T.init():
                A[vi] = T.float32(0)
            A[vi] = A[vi] + T.float32(1)
    for i0, i1, j in T.grid(4, 4, 8):
        with T.block("split"):
            vi = T.axis.spatial(16, i0 * 4 + i1)
            vj = T.axis.reduce((2, 10), j + 2)
            T.reads()
            T.writes(A[0:16])
            A[vi] = A[vi] + T.float32(1)
    for i in range(16):
        with T.block("one"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi:vi + 4], B[vi, 0:16])
            T.writes(A[0:16])
            A[vi] = B[vi, 0]
    with T.block("opaque"):
        T.reads(B[0:16, 0:16])
        T.writes(A[0:16])
        A[0] = B[1, 2]
