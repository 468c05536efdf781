# Rows of a softmax over 10 columns in vectors of 4: the predicate of the partial sums follows them into the loop.
# differs from TVM: it loses the predicate, and the partial sums read outside of the buffer
@T.prim_func
def before(A: T.Buffer((4, 10), "float32"), B: T.Buffer((4, 10), "float32")):
    S = T.alloc_buffer((4,))
    for i, k in T.grid(4, 10):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + T.exp(A[vi, vk])
    for i, j in T.grid(4, 10):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = T.exp(A[vi, vj]) / S[vi]

# schedule
def schedule(sch):
    row = sch.get_loops("B")[0]
    _, k = sch.get_loops("S")
    _, lane = sch.split(k, [None, 4])
    parts = sch.rfactor(lane, factor_axis=0)
    sch.compute_at("S", row)
    sch.compute_at(parts, row)
    sch.parallel(row)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((4, 10), "float32"), B: T.Buffer((4, 10), "float32")):
    # with T.block("root"):
    S = T.alloc_buffer((4,))
    S_rf = T.alloc_buffer((4, 4))
    for i in T.parallel(4):
        for ax0, ax1 in T.grid(4, 3):
            with T.block("S_rf"):
                vk_1, vi, vk_0 = T.axis.remap("SSR", [ax0, i, ax1])
                T.where(ax1 * 4 + ax0 < 10)
                T.reads(A[vi, vk_0 * 4 + vk_1])
                T.writes(S_rf[vk_1, vi])
                with T.init():
                    S_rf[vk_1, vi] = T.float32(0)
                S_rf[vk_1, vi] = S_rf[vk_1, vi] + T.exp(A[vi, vk_0 * 4 + vk_1])
        for ax0 in range(4):
            with T.block("S"):
                vk_1, vi = T.axis.remap("RS", [ax0, i])
                T.reads(S_rf[vk_1, vi])
                T.writes(S[vi])
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + S_rf[vk_1, vi]
        for j in range(10):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj], S[vi])
                T.writes(B[vi, vj])
                B[vi, vj] = T.exp(A[vi, vj]) / S[vi]
