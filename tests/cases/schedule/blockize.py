# A loop with all that is in it becomes a block; its axes are what the loops outside contribute to the axes inside.
# The init of a reduction becomes that of the new block.
@T.prim_func
def before(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    for i_0, j_0, k_0, i_1, j_1, k_1 in T.grid(4, 4, 4, 8, 8, 8):
        with T.block("C"):
            vi = T.axis.spatial(32, i_0 * 8 + i_1)
            vj = T.axis.spatial(32, j_0 * 8 + j_1)
            vk = T.axis.reduce(32, k_0 * 8 + k_1)
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

# schedule
def schedule(sch):
    i_0, j_0, k_0, i_1, j_1, k_1 = sch.get_loops(sch.get_block("C"))
    sch.blockize(i_1)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    # with T.block("root"):
    for i_0, j_0, k_0 in T.grid(4, 4, 4):
        with T.block("C_o"):
            vi_o, vj_o, vk_o = T.axis.remap("SSR", [i_0, j_0, k_0])
            T.reads(A[vi_o * 8:vi_o * 8 + 8, vk_o * 8:vk_o * 8 + 8], B[vk_o * 8:vk_o * 8 + 8, vj_o * 8:vj_o * 8 + 8])
            T.writes(C[vi_o * 8:vi_o * 8 + 8, vj_o * 8:vj_o * 8 + 8])
            with T.init():
                for i_1, j_1 in T.grid(8, 8):
                    with T.block("C_init"):
                        vi_i_init, vj_i_init = T.axis.remap("SS", [i_1, j_1])
                        T.reads()
                        T.writes(C[vi_o * 8 + vi_i_init, vj_o * 8 + vj_i_init])
                        C[vi_o * 8 + vi_i_init, vj_o * 8 + vj_i_init] = T.float32(0)
            for i_1, j_1, k_1 in T.grid(8, 8, 8):
                with T.block("C"):
                    vi_i, vj_i, vk_i = T.axis.remap("SSR", [i_1, j_1, k_1])
                    T.reads(C[vi_o * 8 + vi_i, vj_o * 8 + vj_i], A[vi_o * 8 + vi_i, vk_o * 8 + vk_i], B[vk_o * 8 + vk_i, vj_o * 8 + vj_i])
                    T.writes(C[vi_o * 8 + vi_i, vj_o * 8 + vj_i])
                    C[vi_o * 8 + vi_i, vj_o * 8 + vj_i] = C[vi_o * 8 + vi_i, vj_o * 8 + vj_i] + A[vi_o * 8 + vi_i, vk_o * 8 + vk_i] * B[vk_o * 8 + vk_i, vj_o * 8 + vj_i]
