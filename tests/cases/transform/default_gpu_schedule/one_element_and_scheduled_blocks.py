# pass: tir.DefaultGPUSchedule
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8, 4), "float32"), S: T.Buffer((), "float32"), B: T.Buffer((8,), "float32")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 16, "tag": "", "thread_warp_size": 32})})
    # with T.block("root"):
    for i, k in T.grid(8, 4):
        with T.block("S"):
            vi, vk = T.axis.remap("RR", [i, k])
            T.reads(A[vi, vk])
            T.writes(S[()])
            with T.init():
                S[()] = T.float32(0)
            S[()] = S[()] + A[vi, vk]
    for i in T.thread_binding(8, thread="threadIdx.x"):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0])
            T.writes(B[vi])
            B[vi] = A[vi, 0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8, 4), "float32"), S: T.Buffer((), "float32"), B: T.Buffer((8,), "float32")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 16, "tag": "", "thread_warp_size": 32}), "tir.is_scheduled": T.bool(True)})
    # with T.block("root"):
    for u_fused_0 in T.thread_binding(1, thread="blockIdx.x"):
        for u_fused_1 in T.thread_binding(1, thread="threadIdx.x"):
            for i, k in T.grid(8, 4):
                with T.block("S"):
                    vi, vk = T.axis.remap("RR", [i, k])
                    T.reads(A[vi, vk])
                    T.writes(S[()])
                    with T.init():
                        S[()] = T.float32(0)
                    S[()] = S[()] + A[vi, vk]
    for i in T.thread_binding(8, thread="threadIdx.x"):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0])
            T.writes(B[vi])
            B[vi] = A[vi, 0]
