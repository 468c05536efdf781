# What a block's predicate says of the loops inside stays inside, also where the extents of axes alone would show it.
# differs from TVM: it loses the predicate, and the block writes outside of the buffer
@T.prim_func
def before(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(16):
        with T.block("B"):
            v = T.axis.spatial(9, i)
            T.where(i < 9)
            B[v] = A[v] * T.float32(2)

# schedule
def schedule(sch):
    (i,) = sch.get_loops(sch.get_block("B"))
    sch.blockize(i)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    # with T.block("root"):
    with T.block("B_o"):
        v_o = T.axis.spatial(1, 0)
        T.reads(A[0:9])
        T.writes(B[0:9])
        for i in range(16):
            with T.block("B"):
                v_i = T.axis.spatial(9, i)
                T.where(i < 9)
                T.reads(A[v_i])
                T.writes(B[v_i])
                B[v_i] = A[v_i] * T.float32(2)
