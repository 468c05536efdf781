# A storage scope may have a number, its tag.
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32")):
    C = T.alloc_buffer((128, 128), "float32")
    for i, j in T.grid(128, 128):
        with T.block("c"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + T.float32(1)
    for i, j in T.grid(128, 128):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = C[vi, vj] + T.float32(1)

# schedule
def schedule(sch):
    sch.set_scope(sch.get_block("c"), 0, "global2")

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32")):
    # with T.block("root"):
    C_global2 = T.alloc_buffer((128, 128), scope="global2")
    for i, j in T.grid(128, 128):
        with T.block("c"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(C_global2[vi, vj])
            C_global2[vi, vj] = A[vi, vj] + T.float32(1)
    for i, j in T.grid(128, 128):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(C_global2[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = C_global2[vi, vj] + T.float32(1)
