# pass: tir.ConvertBlocksToOpaque
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    for io, jo in T.grid(4, 4):
        with T.block("outer"):
            vio, vjo = T.axis.remap("SS", [io, jo])
            for ii, ji in T.grid(4, 4):
                with T.block("inner"):
                    vi = T.axis.spatial(16, vio * 4 + ii)
                    vj = T.axis.spatial(16, vjo * 4 + ji)
                    B[vi, vj] = A[vj, vi]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    for io, jo in T.grid(4, 4):
        with T.block("outer"):
            T.reads(A[jo * 4:jo * 4 + 4, io * 4:io * 4 + 4])
            T.writes(B[io * 4:io * 4 + 4, jo * 4:jo * 4 + 4])
            for ii, ji in T.grid(4, 4):
                with T.block("inner"):
                    T.reads(A[jo * 4 + ji, io * 4 + ii])
                    T.writes(B[io * 4 + ii, jo * 4 + ji])
                    B[io * 4 + ii, jo * 4 + ji] = A[jo * 4 + ji, io * 4 + ii]
