# A block that changes a buffer changes a copy of it, which is copied back.
@T.prim_func
def before(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16,))
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] * T.float32(2)
    for i in range(1):
        with T.block("twice"):
            T.reads(B[0:16])
            T.writes(B[0:16])
            for j in range(16):
                B[j] = B[j] + B[j]
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi]

# schedule
def schedule(sch):
    sch.cache_inplace("twice", 0, "local")

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    # with T.block("root"):
    B = T.alloc_buffer((16,))
    B_local = T.alloc_buffer((16,), scope="local")
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi])
            T.writes(B[vi])
            B[vi] = A[vi] * T.float32(2)
    for i in range(1):
        for ax0 in range(16):
            with T.block("B_local"):
                v0 = T.axis.spatial(16, ax0)
                T.reads(B[v0])
                T.writes(B_local[v0])
                B_local[v0] = B[v0]
        with T.block("twice"):
            T.reads(B_local[0:16])
            T.writes(B_local[0:16])
            for j in range(16):
                B_local[j] = B_local[j] + B_local[j]
        for ax0 in range(16):
            with T.block("B_local"):
                v0 = T.axis.spatial(16, ax0)
                T.reads(B_local[v0])
                T.writes(B[v0])
                B[v0] = B_local[v0]
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            T.reads(B[vi])
            T.writes(C[vi])
            C[vi] = B[vi]
