# pass: tir.LowerInitBlock
@T.prim_func
def main(A: T.Buffer((16, 8), "int32"), C: T.Buffer((16,), "int32")):
    for i, k in T.grid(16, 4):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            vk = T.axis.reduce((2, 6), k + 2)
            with T.init():
                for j in range(1):
                    C[vi] = j
                if vi < 3:
                    C[vi] = 7
            C[vi] = C[vi] + A[vi, vk]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 8), "int32"), C: T.Buffer((16,), "int32")):
    # with T.block("root"):
    for i, k in T.grid(16, 4):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            vk = T.axis.reduce((2, 6), k + 2)
            T.reads(A[vi, vk])
            T.writes(C[vi])
            if vk == 2:
                for j in range(1):
                    C[vi] = j
                if vi < 3:
                    C[vi] = 7
            C[vi] = C[vi] + A[vi, vk]
