# pass: tir.VerifyMemory
# All accesses are in a thread.
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    with T.launch_thread("threadIdx.x", 16) as tx:
        B[tx] = A[tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    tx = T.launch_thread("threadIdx.x", 16)
    B[tx] = A[tx]
