# Several blocks that stand one behind the other come into one block, each with the loops that are its own.
# differs from TVM: its regions are in no particular order, and are not simplified
@T.prim_func
def before(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((16, 16))
    for i in range(16):
        for j in range(16):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for j in range(16):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, 15 - vj]

# schedule
def schedule(sch):
    sch.blockize([sch.get_block("B"), sch.get_block("C")])

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    B = T.alloc_buffer((16, 16))
    for i in range(16):
        with T.block("outer_B_C_"):
            vi_o = T.axis.spatial(16, i)
            vj_o = T.axis.spatial(1, 0)
            T.reads(A[vi_o, 0:16], B[vi_o, 0:16])
            T.writes(B[vi_o, 0:16], C[vi_o, 0:16])
            for j in range(16):
                with T.block("B"):
                    vj_i = T.axis.spatial(16, j)
                    T.reads(A[vi_o, vj_i])
                    T.writes(B[vi_o, vj_i])
                    B[vi_o, vj_i] = A[vi_o, vj_i] * T.float32(2)
            for j in range(16):
                with T.block("C"):
                    vj_i = T.axis.spatial(16, j)
                    T.reads(B[vi_o, 15 - vj_i])
                    T.writes(C[vi_o, vj_i])
                    C[vi_o, vj_i] = B[vi_o, 15 - vj_i]
