# A buffer that is computed in overlapping tiles becomes a ring; nothing is computed twice.
@T.prim_func
def before(A: T.Buffer((18,), "float32"), C: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((18,))
    for i in range(18):
        with T.block("B"):
            vi = T.axis.spatial(18, i)
            B[vi] = A[vi] * T.float32(2)
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi] + B[vi + 2]

# schedule
def schedule(sch):
    (i,) = sch.get_loops("C")
    outer, inner = sch.split(i, [None, 4])
    sch.compute_at("B", outer)
    sch.rolling_buffer("B", 0)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((18,), "float32"), C: T.Buffer((16,), "float32")):
    # with T.block("root"):
    B = T.alloc_buffer((6,))
    for i_0 in range(4):
        for ax0 in range(6):
            with T.block("B"):
                vi = T.axis.opaque(18, i_0 * 4 + ax0)
                T.where(i_0 < 1 or 2 <= ax0)
                T.reads(A[vi])
                T.writes(B[vi % 6])
                B[vi % 6] = A[vi] * T.float32(2)
        for i_1 in range(4):
            with T.block("C"):
                vi = T.axis.opaque(16, i_0 * 4 + i_1)
                T.reads(B[T.min(vi % 6, (vi + 2) % 6):T.min(vi % 6, (vi + 2) % 6) + (T.max(vi % 6, (vi + 2) % 6) + 1 - T.min(vi % 6, (vi + 2) % 6))])
                T.writes(C[vi])
                C[vi] = B[vi % 6] + B[(vi + 2) % 6]
