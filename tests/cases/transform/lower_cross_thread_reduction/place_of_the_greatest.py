# pass: tir.LowerCrossThreadReduction
# from tvm.script import tir as T

@T.prim_func
def main(idx: T.Buffer((4, 32), "int32"), val: T.Buffer((4, 32), "float32"), where: T.Buffer((4,), "int32"), what: T.Buffer((4,), "float32")):
    # with T.block("root"):
    for i0, i1_0 in T.grid(4, 4):
        for i1_1 in T.thread_binding(8, thread="threadIdx.x"):
            with T.block("argmax"):
                i = T.axis.spatial(4, i0)
                k = T.axis.reduce(32, i1_0 * 8 + i1_1)
                T.reads(idx[i, k], val[i, k])
                T.writes(where[i], what[i])
                with T.init():
                    where[i] = -1
                    what[i] = T.float32(-3.4028234663852886e+38)
                v0: T.int32 = T.Select(what[i] >= val[i, k], where[i], idx[i, k])
                v1: T.float32 = T.Select(what[i] >= val[i, k], what[i], val[i, k])
                where[i] = v0
                what[i] = v1

# after
# from tvm.script import tir as T

@T.prim_func
def main(idx: T.Buffer((4, 32), "int32"), val: T.Buffer((4, 32), "float32"), where: T.Buffer((4,), "int32"), what: T.Buffer((4,), "float32")):
    # with T.block("root"):
    cross_thread_where = T.alloc_buffer((1,), "int32", strides=(1,), scope="local")
    cross_thread_what = T.alloc_buffer((1,), strides=(1,), scope="local")
    in_thread_where = T.alloc_buffer((1,), "int32", strides=(1,), scope="local")
    in_thread_what = T.alloc_buffer((1,), strides=(1,), scope="local")
    for i0 in range(4):
        for i1_1 in T.thread_binding(8, thread="threadIdx.x"):
            with T.block("argmax_in_thread_init"):
                T.reads()
                T.writes(in_thread_where[0], in_thread_what[0])
                in_thread_where[0] = -1
                in_thread_what[0] = T.float32(-3.4028234663852886e+38)
            for i1_0 in range(4):
                with T.block("argmax_in_thread"):
                    i = T.axis.spatial(4, i0)
                    k = T.axis.reduce(32, i1_0 * 8 + i1_1)
                    T.reads(idx[i, k], val[i, k])
                    T.writes(in_thread_where[0], in_thread_what[0])
                    T.block_attr({"tir.cross_thread_reduction_applied": T.bool(True)})
                    v0: T.int32 = T.Select(in_thread_what[0] >= val[i, k], in_thread_where[0], idx[i, k])
                    v1: T.float32 = T.Select(in_thread_what[0] >= val[i, k], in_thread_what[0], val[i, k])
                    in_thread_where[0] = v0
                    in_thread_what[0] = v1
            with T.block("argmax_cross_thread"):
                T.reads(in_thread_where[0], in_thread_what[0])
                T.writes(cross_thread_where[0], cross_thread_what[0])
                T.attr(T.comm_reducer(lambda x0, x1, y0, y1: (T.Select(x1 >= y1, x0, y0), T.Select(x1 >= y1, x1, y1)), [-1, T.float32(-3.4028234663852886e+38)]), "reduce_scope", T.reinterpret("handle", T.uint64(0)))
                T.tvm_thread_allreduce(T.uint32(2), in_thread_where[0], in_thread_what[0], T.bool(True), cross_thread_where[0], cross_thread_what[0], i1_1)
            with T.block("argmax_write_back"):
                i = T.axis.spatial(4, i0)
                T.where(i1_1 == 0)
                T.reads(cross_thread_where[0], cross_thread_what[0])
                T.writes(where[i], what[i])
                where[i] = cross_thread_where[0]
                what[i] = cross_thread_what[0]
