# A loop becomes loops that run one after the other, each in a block of its own.
# differs from TVM: its blocks around the parts say that they read and write nothing
@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    for i, j in T.grid(16, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)

# schedule
def schedule(sch):
    i, j = sch.get_loops("B")
    sch.loop_partition(i, [4, None])

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    with T.block("root"):
        T.reads()
        T.writes()
        with T.block("B_i_common"):
            T.reads(A[0:16, 0:12])
            T.writes(B[0:16, 0:12])
            with T.block("B_i0_partition"):
                T.reads(A[0:4, 0:12])
                T.writes(B[0:4, 0:12])
                for i0, j in T.grid(4, 12):
                    with T.block("B_i0"):
                        vi, vj = T.axis.remap("SS", [i0, j])
                        T.reads(A[vi, vj])
                        T.writes(B[vi, vj])
                        B[vi, vj] = A[vi, vj] * T.float32(2)
            with T.block("B_i1_partition"):
                T.reads(A[4:16, 0:12])
                T.writes(B[4:16, 0:12])
                for i1 in range(4, 16):
                    for j in range(12):
                        with T.block("B_i1"):
                            vi, vj = T.axis.remap("SS", [i1, j])
                            T.reads(A[vi, vj])
                            T.writes(B[vi, vj])
                            B[vi, vj] = A[vi, vj] * T.float32(2)
