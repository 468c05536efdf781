# The loops that an instruction does the work of become that instruction, on views of the parts of the buffers.
# differs from TVM: there the intrinsic is known after an import
# values differ: the interpreter does not know the instruction
@T.prim_func
def before(
    A: T.Buffer((4, 64), "uint8"), B: T.Buffer((4, 16, 16, 4), "int8"), C: T.Buffer((4, 64), "int32")
):
    for i, j in T.grid(4, 64):
        with T.block("C_init"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = 0
    for i, j_0, k_0, j_1, k_1 in T.grid(4, 4, 16, 16, 4):
        with T.block("C"):
            vi = T.axis.spatial(4, i)
            vj = T.axis.spatial(64, j_0 * 16 + j_1)
            vk = T.axis.reduce(64, k_0 * 4 + k_1)
            C[vi, vj] = C[vi, vj] + T.Cast("int32", A[vi, vk]) * T.Cast("int32", B[vj // 16, vk // 4, vj % 16, vk % 4])

# schedule
def schedule(sch):
    i, j_0, k_0, j_1, k_1 = sch.get_loops(sch.get_block("C"))
    sch.tensorize(j_1, "dot_16x4_vnni")

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((4, 64), "uint8"), B: T.Buffer((4, 16, 16, 4), "int8"), C: T.Buffer((4, 64), "int32")):
    # with T.block("root"):
    for i, j in T.grid(4, 64):
        with T.block("C_init"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads()
            T.writes(C[vi, vj])
            C[vi, vj] = 0
    for i, j_0, k_0 in T.grid(4, 4, 16):
        with T.block("C_o"):
            vi_o, vj_o, vk_o = T.axis.remap("SSR", [i, j_0, k_0])
            T.reads(C[vi_o, vj_o * 16:vj_o * 16 + 16], A[vi_o, vk_o * 4:vk_o * 4 + 4], B[vj_o, vk_o, 0:16, 0:4])
            T.writes(C[vi_o, vj_o * 16:vj_o * 16 + 16])
            A_1 = T.match_buffer(A[vi_o, vk_o * 4:vk_o * 4 + 4], (4,), "uint8", offset_factor=1)
            B_1 = T.match_buffer(B[vj_o, vk_o, 0:16, 0:4], (16, 4), "int8", offset_factor=1)
            C_1 = T.match_buffer(C[vi_o, vj_o * 16:vj_o * 16 + 16], (16,), "int32", offset_factor=1)
            A_x4: T.uint8x4 = A_1[0:4]
            A_word: T.int32 = T.reinterpret("int32", A_x4)
            B_x64: T.int8x64 = B_1[0, 0:64]
            B_words: T.int32x16 = T.reinterpret("int32x16", B_x64)
            C_x16: T.int32x16 = C_1[0:16]
            C_1[0:16] = T.call_llvm_pure_intrin("int32x16", "llvm.x86.avx512.vpdpbusd.512", T.uint32(3), C_x16, T.Broadcast(A_word, 16), B_words)
