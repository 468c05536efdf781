# The number of steps of a loop of unknown length is rounded up.
@T.prim_func
def before(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,))
    B = T.match_buffer(b, (n,))
    for i in range(n):
        with T.block("B"):
            vi = T.axis.spatial(n, i)
            B[vi] = A[vi] + T.float32(1)

# schedule
def schedule(sch):
    (i,) = sch.get_loops("B")
    sch.split(i, [None, 32])

# after
# from tvm.script import tir as T

@T.prim_func
def before(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,))
    B = T.match_buffer(b, (n,))
    # with T.block("root"):
    for i_0, i_1 in T.grid((n + 31) // 32, 32):
        with T.block("B"):
            vi = T.axis.spatial(n, i_0 * 32 + i_1)
            T.where(i_0 * 32 + i_1 < n)
            T.reads(A[vi])
            T.writes(B[vi])
            B[vi] = A[vi] + T.float32(1)
