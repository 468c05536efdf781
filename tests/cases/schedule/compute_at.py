# A producer runs under a loop of its consumer, over what one iteration of the loop needs.
@T.prim_func
def before(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((16, 16))
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(16, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + B[vi, 15 - vj] + T.float32(1)

# schedule
def schedule(sch):
    i, j = sch.get_loops(sch.get_block("C"))
    sch.compute_at("B", i)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    B = T.alloc_buffer((16, 16))
    for i in range(16):
        for ax0 in range(16):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, ax0])
                T.reads(A[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for j in range(16):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(B[vi, T.min(vj, 15 - vj):T.min(vj, 15 - vj) + (T.max(vj, 15 - vj) + 1 - T.min(vj, 15 - vj))])
                T.writes(C[vi, vj])
                C[vi, vj] = B[vi, vj] + B[vi, 15 - vj] + T.float32(1)
