# Without unit iterations, an axis with one value does not occur in the block inside.
@T.prim_func
def before(A: T.Buffer((1, 16), "float32"), B: T.Buffer((1, 16), "float32")):
    for i, j in T.grid(1, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)

# schedule
def schedule(sch):
    i, j = sch.get_loops(sch.get_block("B"))
    sch.blockize(j, preserve_unit_iters=False)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((1, 16), "float32"), B: T.Buffer((1, 16), "float32")):
    # with T.block("root"):
    for i in range(1):
        with T.block("B_o"):
            vi_o = T.axis.spatial(1, 0)
            vj_o = T.axis.spatial(1, 0)
            T.reads(A[0, 0:16])
            T.writes(B[0, 0:16])
            for j in range(16):
                with T.block("B"):
                    vj_i = T.axis.spatial(16, j)
                    T.reads(A[0, vj_i])
                    T.writes(B[0, vj_i])
                    B[0, vj_i] = A[0, vj_i] * T.float32(2)
