# pass: tir.LowerIntrin
# values: not compared: one thread has nobody to exchange values with
@T.prim_func
def main(A: T.Buffer((32,), "float32")):
    T.func_attr({"target": T.target("cuda -arch=sm_80")})
    tx = T.launch_thread("threadIdx.x", 32)
    A[tx] = T.tvm_warp_shuffle_down(T.tvm_warp_activemask(), A[tx], 3, 32, 32)
    A[tx] = T.tvm_warp_shuffle(T.tvm_warp_activemask(), A[tx], 0, 32, 32)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((32,), "float32")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    tx = T.launch_thread("threadIdx.x", 32)
    A[tx] = T.tir.cuda.__shfl_down_sync(T.tir.cuda.__activemask(), A[tx], 3, 32)
    A[tx] = T.tir.cuda.__shfl_sync(T.tir.cuda.__activemask(), A[tx], 0, 32)
