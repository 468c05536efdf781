# pass: tir.LowerCrossThreadReduction
@T.prim_func
def main(A: T.Buffer((4, 8, 16), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32"), D: T.Buffer((4,), "float32")):
    S = T.alloc_buffer((4,), scope="local")
    for i in T.thread_binding(4, thread="blockIdx.x"):
        for kj in T.thread_binding(8, thread="threadIdx.y"):
            for ki in T.thread_binding(16, thread="threadIdx.x"):
                with T.block("S"):
                    vi = T.axis.spatial(4, i)
                    vj, vk = T.axis.remap("RR", [kj, ki])
                    with T.init():
                        S[vi] = T.float32(0)
                    S[vi] = S[vi] + A[vi, vj, vk]
        with T.block("B"):
            vi = T.axis.spatial(4, i)
            B[vi] = S[vi] * T.float32(2)
        for tx in T.thread_binding(16, thread="threadIdx.x"):
            with T.block("C"):
                vi = T.axis.spatial(4, i)
                T.where(tx == 0)
                C[vi] = S[vi] + T.float32(1)
        with T.block("D"):
            vi = T.axis.spatial(4, i)
            D[vi] = S[vi] - T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 8, 16), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32"), D: T.Buffer((4,), "float32")):
    # with T.block("root"):
    S = T.alloc_buffer((4,), scope="local")
    cross_thread_S = T.alloc_buffer((1,), strides=(1,), scope="local")
    for i in T.thread_binding(4, thread="blockIdx.x"):
        for kj in T.thread_binding(8, thread="threadIdx.y"):
            for ki in T.thread_binding(16, thread="threadIdx.x"):
                with T.block("S_cross_thread"):
                    vi, vj, vk = T.axis.remap("SRR", [i, kj, ki])
                    T.reads(A[vi, vj, vk])
                    T.writes(cross_thread_S[0])
                    T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0)))
                    T.tvm_thread_allreduce(T.uint32(1), A[vi, vj, vk], T.bool(True), cross_thread_S[0], kj, ki)
                with T.block("S_write_back"):
                    vi = T.axis.spatial(4, i)
                    T.reads(cross_thread_S[0])
                    T.writes(S[vi])
                    S[vi] = cross_thread_S[0]
        for ty in T.thread_binding(8, thread="threadIdx.y"):
            for tx in T.thread_binding(16, thread="threadIdx.x"):
                with T.block("B"):
                    vi = T.axis.spatial(4, i)
                    T.where(ty == 0 and tx == 0)
                    T.reads(S[vi])
                    T.writes(B[vi])
                    B[vi] = S[vi] * T.float32(2)
        for tx in T.thread_binding(16, thread="threadIdx.x"):
            for ty in T.thread_binding(8, thread="threadIdx.y"):
                with T.block("C"):
                    vi = T.axis.spatial(4, i)
                    T.where(ty == 0 and tx == 0)
                    T.reads(S[vi])
                    T.writes(C[vi])
                    C[vi] = S[vi] + T.float32(1)
        for ty in T.thread_binding(8, thread="threadIdx.y"):
            for tx in T.thread_binding(16, thread="threadIdx.x"):
                with T.block("D"):
                    vi = T.axis.spatial(4, i)
                    T.where(ty == 0 and tx == 0)
                    T.reads(S[vi])
                    T.writes(D[vi])
                    D[vi] = S[vi] - T.float32(1)
