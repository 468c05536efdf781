# pass: tir.DefaultGPUSchedule
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((40,), "float32")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 16, "tag": "", "thread_warp_size": 32})})
    # with T.block("root"):
    D = T.alloc_buffer((16,))
    for i in range(16):
        with T.block("D"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi])
            T.writes(D[vi])
            D[vi] = A[vi] + T.float32(1)
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            T.reads(D[vi])
            T.writes(B[vi])
            B[vi] = D[vi] + T.float32(1)
    for i in range(40):
        with T.block("C"):
            vi = T.axis.spatial(40, i)
            T.reads()
            T.writes(C[vi])
            C[vi] = T.float32(2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((40,), "float32")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 16, "tag": "", "thread_warp_size": 32}), "tir.is_scheduled": T.bool(True)})
    # with T.block("root"):
    D = T.alloc_buffer((16,))
    for i_fused_0 in T.thread_binding(1, thread="blockIdx.x"):
        for i_fused_1 in T.thread_binding(16, thread="threadIdx.x"):
            with T.block("D"):
                vi = T.axis.spatial(16, i_fused_0 * 16 + i_fused_1)
                T.reads(A[vi])
                T.writes(D[vi])
                D[vi] = A[vi] + T.float32(1)
    for i_fused_0 in T.thread_binding(1, thread="blockIdx.x"):
        for i_fused_1 in T.thread_binding(16, thread="threadIdx.x"):
            with T.block("B"):
                vi = T.axis.spatial(16, i_fused_0 * 16 + i_fused_1)
                T.reads(D[vi])
                T.writes(B[vi])
                B[vi] = D[vi] + T.float32(1)
    for i_fused_0 in T.thread_binding(3, thread="blockIdx.x"):
        for i_fused_1 in T.thread_binding(16, thread="threadIdx.x"):
            with T.block("C"):
                vi = T.axis.spatial(40, i_fused_0 * 16 + i_fused_1)
                T.where(i_fused_0 * 16 + i_fused_1 < 40)
                T.reads()
                T.writes(C[vi])
                C[vi] = T.float32(2)
