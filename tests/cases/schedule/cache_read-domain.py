# What the domain of an axis reads is among the reads of its block.
@T.prim_func
def before(A: T.Buffer((64,), "float32"), H: T.Buffer((2,), "int32"), B: T.Buffer((64,), "float32")):
    for i in range(H[0] * H[1]):
        with T.block("B"):
            vi = T.axis.spatial(H[0] * H[1], i)
            B[vi] = A[vi] * T.float32(2)

# schedule
def schedule(sch):
    sch.cache_read("B", 0, "shared")

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((64,), "float32"), H: T.Buffer((2,), "int32"), B: T.Buffer((64,), "float32")):
    # with T.block("root"):
    H_shared = T.alloc_buffer((2,), "int32", scope="shared")
    for ax0 in range(2):
        with T.block("H_shared"):
            v0 = T.axis.spatial(2, ax0)
            T.reads(H[v0])
            T.writes(H_shared[v0])
            H_shared[v0] = H[v0]
    for i in range(H_shared[0] * H_shared[1]):
        with T.block("B"):
            vi = T.axis.spatial(H_shared[0] * H_shared[1], i)
            T.reads(H_shared[0:2], A[vi])
            T.writes(B[vi])
            B[vi] = A[vi] * T.float32(2)
