# Iterations that the predicate excludes add the identity: the last of the four partial sums has no element.
# differs from TVM: it keeps the predicate, and adds memory that nothing writes
@T.prim_func
def before(A: T.Buffer((9,), "float32"), S: T.Buffer((1,), "float32")):
    for i, k in T.grid(1, 9):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vk]

# schedule
def schedule(sch):
    _, k = sch.get_loops("S")
    k0, _ = sch.split(k, [4, 3])
    sch.rfactor(k0, factor_axis=0)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((9,), "float32"), S: T.Buffer((1,), "float32")):
    # with T.block("root"):
    S_rf = T.alloc_buffer((4, 1))
    for i, k_0, k_1 in T.grid(1, 4, 3):
        with T.block("S_rf"):
            vk_0, vi, vk_1 = T.axis.remap("SSR", [k_0, i, k_1])
            T.reads(A[vk_0 * 3 + vk_1])
            T.writes(S_rf[vk_0, vi])
            with T.init():
                S_rf[vk_0, vi] = T.float32(0)
            S_rf[vk_0, vi] = S_rf[vk_0, vi] + T.if_then_else(vk_0 * 3 + vk_1 < 9, A[vk_0 * 3 + vk_1], T.float32(0))
    for i, k_0 in T.grid(1, 4):
        with T.block("S"):
            vk_0, vi = T.axis.remap("RS", [k_0, i])
            T.reads(S_rf[vk_0, vi])
            T.writes(S[vi])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + S_rf[vk_0, vi]
