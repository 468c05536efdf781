# A condition on loops that no axis uses ends with these loops: in their first iteration the block runs.
@T.prim_func
def before(A: T.Buffer((4, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    B = T.alloc_buffer((4, 4))
    for i, j in T.grid(4, 4):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for again, i, j in T.grid(2, 4, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.where(again < 1)
            C[vi, vj] = B[vi, vj] + T.float32(1)

# schedule
def schedule(sch):
    i, j = sch.get_loops("B")
    sch.reverse_compute_at("C", i)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((4, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    # with T.block("root"):
    B = T.alloc_buffer((4, 4))
    for i in range(4):
        for j in range(4):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for ax0 in range(4):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, ax0])
                T.reads(B[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = B[vi, vj] + T.float32(1)
