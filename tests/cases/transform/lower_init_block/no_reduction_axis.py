# pass: tir.LowerInitBlock
@T.prim_func
def main(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            with T.init():
                C[vi] = 1
            C[vi] = C[vi] + A[vi]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    # with T.block("root"):
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi])
            T.writes(C[vi])
            C[vi] = 1
            C[vi] = C[vi] + A[vi]
