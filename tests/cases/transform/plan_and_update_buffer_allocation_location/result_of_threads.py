# pass: tir.PlanAndUpdateBufferAllocationLocation
# What threads reduce together goes to a buffer of each thread: the call writes it, though it is written as a load.
@T.prim_func
def main(A: T.Buffer((4, 8, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    sum = T.alloc_buffer((1,), "int32", scope="local")
    for i in T.thread_binding(4, thread="blockIdx.x"):
        for j in range(8):
            for k in T.thread_binding(8, thread="threadIdx.x"):
                with T.block("cross_thread"):
                    vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                    T.reads(A[vi, vj, vk])
                    T.writes(sum[0])
                    with T.attr(T.comm_reducer(lambda x, y: x + y, [0]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
                        T.tvm_thread_allreduce(T.uint32(1), A[vi, vj, vk], T.bool(True), sum[0], k)
                with T.block("write_back"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.where(k == 0)
                    T.reads(sum[0])
                    T.writes(B[vi, vj])
                    B[vi, vj] = sum[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 8, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    # with T.block("root"):
    for i in T.thread_binding(4, thread="blockIdx.x"):
        for j in range(8):
            for k in T.thread_binding(8, thread="threadIdx.x"):
                with T.block(""):
                    T.reads(A[i, j, k])
                    T.writes(B[i, j])
                    sum = T.alloc_buffer((1,), "int32", scope="local")
                    with T.block("cross_thread"):
                        vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                        T.reads(A[vi, vj, vk])
                        T.writes(sum[0])
                        T.attr(T.comm_reducer(lambda x, y: x + y, [0]), "reduce_scope", T.reinterpret("handle", T.uint64(0)))
                        T.tvm_thread_allreduce(T.uint32(1), A[vi, vj, vk], T.bool(True), sum[0], k)
                    with T.block("write_back"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        T.where(k == 0)
                        T.reads(sum[0])
                        T.writes(B[vi, vj])
                        B[vi, vj] = sum[0]
