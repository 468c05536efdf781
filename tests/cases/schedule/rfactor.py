# A sum is computed in parts, one for each iteration of a loop, which are added up afterwards.
@T.prim_func
def before(A: T.Buffer((128,), "float32"), S: T.Buffer((1,), "float32")):
    for i, k in T.grid(1, 128):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vk]

# schedule
def schedule(sch):
    _, k = sch.get_loops("S")
    _, k1 = sch.split(k, [None, 8])
    sch.rfactor(k1, factor_axis=0)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((128,), "float32"), S: T.Buffer((1,), "float32")):
    # with T.block("root"):
    S_rf = T.alloc_buffer((8, 1))
    for i, k_0, k_1 in T.grid(1, 16, 8):
        with T.block("S_rf"):
            vk_1, vi, vk_0 = T.axis.remap("SSR", [k_1, i, k_0])
            T.reads(A[vk_0 * 8 + vk_1])
            T.writes(S_rf[vk_1, vi])
            with T.init():
                S_rf[vk_1, vi] = T.float32(0)
            S_rf[vk_1, vi] = S_rf[vk_1, vi] + A[vk_0 * 8 + vk_1]
    for i, k_1 in T.grid(1, 8):
        with T.block("S"):
            vk_1, vi = T.axis.remap("RS", [k_1, i])
            T.reads(S_rf[vk_1, vi])
            T.writes(S[vi])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + S_rf[vk_1, vi]
