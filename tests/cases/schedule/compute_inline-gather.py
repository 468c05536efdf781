# Regions are listed in TVM's order: what the regions of the block load comes first.
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), H: T.Buffer((64,), "int32")):
    C = T.alloc_buffer((64,), "int32")
    for i in range(64):
        with T.block("c"):
            vi = T.axis.spatial(64, i)
            C[vi] = H[vi] % 64
    for i in range(64):
        with T.block("b"):
            vi = T.axis.spatial(64, i)
            B[vi] = A[C[vi]]

# schedule
def schedule(sch):
    sch.compute_inline(sch.get_block("c"))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), H: T.Buffer((64,), "int32")):
    # with T.block("root"):
    for i in range(64):
        with T.block("b"):
            vi = T.axis.spatial(64, i)
            T.reads(H[vi], A[H[vi] % 64])
            T.writes(B[vi])
            B[vi] = A[H[vi] % 64]
