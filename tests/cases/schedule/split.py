# A loop becomes nested loops of the extents given; None stands for what is left.
# Where the factors do not divide the extent, the block gets a predicate.
@T.prim_func
def before(A: T.Buffer((20,), "float32"), B: T.Buffer((20,), "float32")):
    for i in range(20):
        with T.block("B"):
            vi = T.axis.spatial(20, i)
            B[vi] = A[vi] * T.float32(2)

# schedule
def schedule(sch):
    (i,) = sch.get_loops(sch.get_block("B"))
    sch.split(i, [None, 8])

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((20,), "float32"), B: T.Buffer((20,), "float32")):
    # with T.block("root"):
    for i_0, i_1 in T.grid(3, 8):
        with T.block("B"):
            vi = T.axis.spatial(20, i_0 * 8 + i_1)
            T.where(i_0 * 8 + i_1 < 20)
            T.reads(A[vi])
            T.writes(B[vi])
            B[vi] = A[vi] * T.float32(2)
