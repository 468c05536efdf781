# pass: tir.DefaultGPUSchedule
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((40, 40), "float32"), B: T.Buffer((40, 40), "float32")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 2, "tag": "", "thread_warp_size": 32})})
    # with T.block("root"):
    for i, j in T.grid(40, 40):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = A[vi, vj] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((40, 40), "float32"), B: T.Buffer((40, 40), "float32")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 2, "tag": "", "thread_warp_size": 32}), "tir.is_scheduled": T.bool(True)})
    # with T.block("root"):
    for i_j_fused_1 in T.thread_binding(256, thread="blockIdx.x"):
        for i_j_fused_2 in T.thread_binding(2, thread="threadIdx.x"):
            for i_j_fused_0 in range(4):
                with T.block("B"):
                    vi = T.axis.spatial(40, (i_j_fused_0 * 512 + i_j_fused_1 * 2 + i_j_fused_2) // 40)
                    vj = T.axis.spatial(40, (i_j_fused_0 * 512 + i_j_fused_1 * 2 + i_j_fused_2) % 40)
                    T.where((i_j_fused_0 * 256 + i_j_fused_1) * 2 + i_j_fused_2 < 1600)
                    T.reads(A[vi, vj])
                    T.writes(B[vi, vj])
                    B[vi, vj] = A[vi, vj] + T.float32(1)
