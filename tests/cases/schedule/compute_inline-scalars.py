# A buffer without dimensions, of a block with an axis of one step, is a constant.
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    c = T.alloc_buffer((), "float32")
    for i in range(1):
        with T.block("c"):
            vi = T.axis.spatial(1, i)
            c[()] = T.float32(2)
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] * c[()]

# schedule
def schedule(sch):
    sch.compute_inline(sch.get_block("c"))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    # with T.block("root"):
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi])
            T.writes(B[vi])
            B[vi] = A[vi] * T.float32(2)
