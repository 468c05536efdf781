# pass: tir.DefaultGPUSchedule
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8, 6), "float32"), B: T.Buffer((6, 5), "float32"), C: T.Buffer((8, 5), "float32")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 16, "tag": "", "thread_warp_size": 32})})
    # with T.block("root"):
    for i, j, k in T.grid(8, 5, 6):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(A[vi, vk], B[vk, vj])
            T.writes(C[vi, vj])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8, 6), "float32"), B: T.Buffer((6, 5), "float32"), C: T.Buffer((8, 5), "float32")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 16, "tag": "", "thread_warp_size": 32}), "tir.is_scheduled": T.bool(True)})
    # with T.block("root"):
    for i_j_fused_0 in T.thread_binding(3, thread="blockIdx.x"):
        for i_j_fused_1 in T.thread_binding(16, thread="threadIdx.x"):
            for k in range(6):
                with T.block("C"):
                    vi = T.axis.spatial(8, (i_j_fused_0 * 16 + i_j_fused_1) // 5)
                    vj = T.axis.spatial(5, (i_j_fused_0 * 16 + i_j_fused_1) % 5)
                    vk = T.axis.reduce(6, k)
                    T.where(i_j_fused_0 * 16 + i_j_fused_1 < 40)
                    T.reads(A[vi, vk], B[vk, vj])
                    T.writes(C[vi, vj])
                    with T.init():
                        C[vi, vj] = T.float32(0)
                    C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
