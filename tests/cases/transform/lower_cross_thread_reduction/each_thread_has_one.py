# pass: tir.LowerCrossThreadReduction
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 32), "float32"), B: T.Buffer((4,), "float32")):
    # with T.block("root"):
    for i in range(4):
        for ty in T.thread_binding(4, thread="threadIdx.y"):
            for tx in T.thread_binding(8, thread="threadIdx.x"):
                with T.block("B"):
                    vi = T.axis.spatial(4, i)
                    vk = T.axis.reduce(32, ty * 8 + tx)
                    T.reads(A[vi, vk])
                    T.writes(B[vi])
                    with T.init():
                        B[vi] = T.float32(-3.4028234663852886e+38)
                    B[vi] = T.max(B[vi], A[vi, vk])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 32), "float32"), B: T.Buffer((4,), "float32")):
    # with T.block("root"):
    cross_thread_B = T.alloc_buffer((1,), strides=(1,), scope="local")
    for i in range(4):
        for ty in T.thread_binding(4, thread="threadIdx.y"):
            for tx in T.thread_binding(8, thread="threadIdx.x"):
                with T.block("B_cross_thread"):
                    vi = T.axis.spatial(4, i)
                    vk = T.axis.reduce(32, ty * 8 + tx)
                    T.reads(A[vi, vk])
                    T.writes(cross_thread_B[0])
                    T.attr(T.comm_reducer(lambda x0, y0: T.max(x0, y0), [T.float32(-3.4028234663852886e+38)]), "reduce_scope", T.reinterpret("handle", T.uint64(0)))
                    T.tvm_thread_allreduce(T.uint32(1), A[vi, vk], T.bool(True), cross_thread_B[0], ty, tx)
                with T.block("B_write_back"):
                    vi = T.axis.spatial(4, i)
                    T.where(ty == 0 and tx == 0)
                    T.reads(cross_thread_B[0])
                    T.writes(B[vi])
                    B[vi] = cross_thread_B[0]
