# pass: tir.DefaultGPUSchedule
# differs from TVM: it refuses loops of which a reduction is between the others
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 6, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 16, "tag": "", "thread_warp_size": 32})})
    # with T.block("root"):
    for i, k, j in T.grid(4, 6, 4):
        with T.block("C"):
            vi, vk, vj = T.axis.remap("SRS", [i, k, j])
            T.reads(A[vi, vk, vj])
            T.writes(C[vi, vj])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk, vj]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 6, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 16, "tag": "", "thread_warp_size": 32}), "tir.is_scheduled": T.bool(True)})
    # with T.block("root"):
    for i_j_fused_0 in T.thread_binding(1, thread="blockIdx.x"):
        for i_j_fused_1 in T.thread_binding(16, thread="threadIdx.x"):
            for k in range(6):
                with T.block("C"):
                    vi = T.axis.spatial(4, (i_j_fused_0 * 16 + i_j_fused_1) // 4)
                    vk = T.axis.reduce(6, k)
                    vj = T.axis.spatial(4, (i_j_fused_0 * 16 + i_j_fused_1) % 4)
                    T.reads(A[vi, vk, vj])
                    T.writes(C[vi, vj])
                    with T.init():
                        C[vi, vj] = T.float32(0)
                    C[vi, vj] = C[vi, vj] + A[vi, vk, vj]
