# pass: tir.VerifyGPUCode({"max_threads_per_block": 128, "max_thread_x": 32, "max_shared_memory_per_block": 2048})
# differs from TVM: the oracle has no constructor for it
@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    with T.launch_thread("threadIdx.x", 32) as tx, T.launch_thread("threadIdx.y", 4) as ty:
        S = T.allocate([128], "float32", "shared")
        S_1 = T.Buffer((128,), data=S, scope="shared")
        S_1[ty * 32 + tx] = A[ty * 32 + tx]
        B[ty * 32 + tx] = S_1[ty * 32 + tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    tx = T.launch_thread("threadIdx.x", 32)
    ty = T.launch_thread("threadIdx.y", 4)
    S_1 = T.allocate([128], "float32", "shared")
    S_1_1 = T.Buffer((128,), data=S_1, scope="shared")
    S_1_1[ty * 32 + tx] = A[ty * 32 + tx]
    B[ty * 32 + tx] = S_1_1[ty * 32 + tx]
