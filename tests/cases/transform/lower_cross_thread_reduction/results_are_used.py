# pass: tir.LowerCrossThreadReduction
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 32), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4, 32), "float32")):
    # with T.block("root"):
    S = T.alloc_buffer((4,), scope="local")
    N = T.alloc_buffer((4,), scope="local")
    for i in T.thread_binding(4, thread="blockIdx.x"):
        for ko in range(2):
            for ki in T.thread_binding(16, thread="threadIdx.x"):
                with T.block("S"):
                    vi = T.axis.spatial(4, i)
                    vk = T.axis.reduce(32, ko * 16 + ki)
                    T.reads(A[vi, vk])
                    T.writes(S[vi])
                    with T.init():
                        S[vi] = T.float32(0)
                    S[vi] = S[vi] + A[vi, vk]
        with T.block("N"):
            vi = T.axis.spatial(4, i)
            T.reads(S[vi])
            T.writes(N[vi])
            N[vi] = S[vi] + T.float32(1)
        with T.block("B"):
            vi = T.axis.spatial(4, i)
            T.reads(S[vi])
            T.writes(B[vi])
            B[vi] = S[vi] * T.float32(2)
        for jo in range(2):
            for ji in T.thread_binding(16, thread="threadIdx.x"):
                with T.block("C"):
                    vi = T.axis.spatial(4, i)
                    vj = T.axis.spatial(32, jo * 16 + ji)
                    T.reads(A[vi, vj], N[vi])
                    T.writes(C[vi, vj])
                    C[vi, vj] = A[vi, vj] * N[vi]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 32), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4, 32), "float32")):
    # with T.block("root"):
    S = T.alloc_buffer((4,), scope="local")
    N = T.alloc_buffer((4,), scope="local")
    cross_thread_S = T.alloc_buffer((1,), strides=(1,), scope="local")
    in_thread_S = T.alloc_buffer((1,), strides=(1,), scope="local")
    for i in T.thread_binding(4, thread="blockIdx.x"):
        for ki in T.thread_binding(16, thread="threadIdx.x"):
            with T.block("S_in_thread_init"):
                T.reads()
                T.writes(in_thread_S[0])
                in_thread_S[0] = T.float32(0)
            for ko in range(2):
                with T.block("S_in_thread"):
                    vi = T.axis.spatial(4, i)
                    vk = T.axis.reduce(32, ko * 16 + ki)
                    T.reads(A[vi, vk])
                    T.writes(in_thread_S[0])
                    T.block_attr({"tir.cross_thread_reduction_applied": T.bool(True)})
                    in_thread_S[0] = in_thread_S[0] + A[vi, vk]
            with T.block("S_cross_thread"):
                T.reads(in_thread_S[0])
                T.writes(cross_thread_S[0])
                T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0)))
                T.tvm_thread_allreduce(T.uint32(1), in_thread_S[0], T.bool(True), cross_thread_S[0], ki)
            with T.block("S_write_back"):
                vi = T.axis.spatial(4, i)
                T.reads(cross_thread_S[0])
                T.writes(S[vi])
                S[vi] = cross_thread_S[0]
        with T.block("N"):
            vi = T.axis.spatial(4, i)
            T.reads(S[vi])
            T.writes(N[vi])
            N[vi] = S[vi] + T.float32(1)
        for tx in T.thread_binding(16, thread="threadIdx.x"):
            with T.block("B"):
                vi = T.axis.spatial(4, i)
                T.where(tx == 0)
                T.reads(S[vi])
                T.writes(B[vi])
                B[vi] = S[vi] * T.float32(2)
        for jo in range(2):
            for ji in T.thread_binding(16, thread="threadIdx.x"):
                with T.block("C"):
                    vi = T.axis.spatial(4, i)
                    vj = T.axis.spatial(32, jo * 16 + ji)
                    T.reads(A[vi, vj], N[vi])
                    T.writes(C[vi, vj])
                    C[vi, vj] = A[vi, vj] * N[vi]
