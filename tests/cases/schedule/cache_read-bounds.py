# The bounds of a loop read the copy too: rows of a sparse matrix begin and end where the pointers say.
# differs from TVM: the regions of the outer block name the copy, which is not defined there
# values differ: the pointers that are drawn are not sorted
@T.prim_func
def before(V: T.Buffer((50,), "float32"), Ptr: T.Buffer((9,), "int32"), Y: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.block("row"):
            vi = T.axis.spatial(8, i)
            for k in range(Ptr[vi + 1] - Ptr[vi]):
                with T.block("Y"):
                    vk = T.axis.reduce(50, k)
                    with T.init():
                        Y[vi] = T.float32(0)
                    Y[vi] = Y[vi] + V[Ptr[vi] + vk]

# schedule
def schedule(sch):
    sch.cache_read("Y", "Ptr", "local")

# after
# from tvm.script import tir as T

@T.prim_func
def before(V: T.Buffer((50,), "float32"), Ptr: T.Buffer((9,), "int32"), Y: T.Buffer((8,), "float32")):
    # with T.block("root"):
    for i in range(8):
        with T.block("row"):
            vi = T.axis.spatial(8, i)
            T.reads(Ptr[vi:vi + 2], V[Ptr[vi]:Ptr[vi] + (Ptr[vi + 1] - Ptr[vi])])
            T.writes(Y[vi])
            Ptr_local = T.alloc_buffer((2,), "int32", scope="local")
            for ax0 in range(2):
                with T.block("Ptr_local"):
                    v0 = T.axis.spatial(2, ax0)
                    T.reads(Ptr[vi + v0])
                    T.writes(Ptr_local[v0])
                    Ptr_local[v0] = Ptr[vi + v0]
            for k in range(Ptr_local[1] - Ptr_local[0]):
                with T.block("Y"):
                    vk = T.axis.reduce(50, k)
                    T.reads(V[Ptr_local[0] + vk], Ptr_local[0])
                    T.writes(Y[vi])
                    with T.init():
                        Y[vi] = T.float32(0)
                    Y[vi] = Y[vi] + V[Ptr_local[0] + vk]
