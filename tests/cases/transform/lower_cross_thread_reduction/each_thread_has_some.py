# pass: tir.LowerCrossThreadReduction
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 30), "int32"), B: T.Buffer((4,), "int32")):
    # with T.block("root"):
    for i, ko in T.grid(4, 2):
        for ki in T.thread_binding(16, thread="threadIdx.x"):
            with T.block("B"):
                vi = T.axis.spatial(4, i)
                vk = T.axis.reduce(30, ko * 16 + ki)
                T.where(ko * 16 + ki < 30)
                T.reads(A[vi, vk])
                T.writes(B[vi])
                with T.init():
                    B[vi] = 0
                B[vi] = B[vi] + A[vi, vk]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 30), "int32"), B: T.Buffer((4,), "int32")):
    # with T.block("root"):
    cross_thread_B = T.alloc_buffer((1,), "int32", strides=(1,), scope="local")
    in_thread_B = T.alloc_buffer((1,), "int32", strides=(1,), scope="local")
    for i in range(4):
        for ki in T.thread_binding(16, thread="threadIdx.x"):
            with T.block("B_in_thread_init"):
                T.reads()
                T.writes(in_thread_B[0])
                in_thread_B[0] = 0
            for ko in range(2):
                with T.block("B_in_thread"):
                    vi = T.axis.spatial(4, i)
                    vk = T.axis.reduce(30, ko * 16 + ki)
                    T.where(ko * 16 + ki < 30)
                    T.reads(A[vi, vk])
                    T.writes(in_thread_B[0])
                    T.block_attr({"tir.cross_thread_reduction_applied": T.bool(True)})
                    in_thread_B[0] = in_thread_B[0] + A[vi, vk]
            with T.block("B_cross_thread"):
                T.reads(in_thread_B[0])
                T.writes(cross_thread_B[0])
                T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [0]), "reduce_scope", T.reinterpret("handle", T.uint64(0)))
                T.tvm_thread_allreduce(T.uint32(1), in_thread_B[0], T.bool(True), cross_thread_B[0], ki)
            with T.block("B_write_back"):
                vi = T.axis.spatial(4, i)
                T.where(ki == 0)
                T.reads(cross_thread_B[0])
                T.writes(B[vi])
                B[vi] = cross_thread_B[0]
