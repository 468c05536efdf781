# pass: tir.LowerInitBlock
@T.prim_func
def main(A: T.Buffer((16, 8, 4), "float32"), C: T.Buffer((16,), "float32")):
    for i, j, k in T.grid(16, 8, 4):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SRR", [i, j, k])
            with T.init():
                C[vi] = T.float32(0)
            C[vi] = C[vi] + A[vi, vj, vk]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 8, 4), "float32"), C: T.Buffer((16,), "float32")):
    # with T.block("root"):
    for i, j, k in T.grid(16, 8, 4):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SRR", [i, j, k])
            T.reads(A[vi, vj, vk])
            T.writes(C[vi])
            if vj == 0 and vk == 0:
                C[vi] = T.float32(0)
            C[vi] = C[vi] + A[vi, vj, vk]
