# Factors of a loop, of which the inner ones multiply to a multiple of a number.
@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    for i, j in T.grid(16, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)

# schedule
def schedule(sch):
    i, j = sch.get_loops("B")
    factors = sch.sample_partitioned_tile(i, n=3, partition_pos=1, innerpart_factor=4, decision=[2, 4, 2])
    sch.split(i, factors)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    # with T.block("root"):
    for i_0, i_1, i_2, j in T.grid(2, 4, 2, 12):
        with T.block("B"):
            vi = T.axis.spatial(16, i_0 * 8 + i_1 * 2 + i_2)
            vj = T.axis.spatial(12, j)
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = A[vi, vj] * T.float32(2)
