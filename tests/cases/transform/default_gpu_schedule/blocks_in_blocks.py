# pass: tir.DefaultGPUSchedule
@T.prim_func
def main(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8, 4), "float32")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 16, "tag": "", "thread_warp_size": 32})})
    for i in range(8):
        with T.block("row"):
            vi = T.axis.spatial(8, i)
            for j in range(4):
                with T.block("B"):
                    vj = T.axis.spatial(4, j)
                    B[vi, vj] = A[vi, vj]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8, 4), "float32")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 16, "tag": "", "thread_warp_size": 32}), "tir.is_scheduled": T.bool(True)})
    # with T.block("root"):
    for i in range(8):
        with T.block("row"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0:4])
            T.writes(B[vi, 0:4])
            for j_fused_0 in T.thread_binding(1, thread="blockIdx.x"):
                for j_fused_1 in T.thread_binding(4, thread="threadIdx.x"):
                    with T.block("B"):
                        vj = T.axis.spatial(4, j_fused_0 * 4 + j_fused_1)
                        T.reads(A[vi, vj])
                        T.writes(B[vi, vj])
                        B[vi, vj] = A[vi, vj]
