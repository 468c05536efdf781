# pass: tir.LowerWarpMemory
# values: not compared: before the shuffles, what is read depends on the order in which threads run
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    bx = T.launch_thread("blockIdx.x", 4)
    W = T.allocate([32], "float32", "warp")
    tx = T.launch_thread("threadIdx.x", 32)
    W1 = T.Buffer((32,), "float32", data=W, scope="warp")
    W1[tx] = A[bx*32+tx]
    B[bx*32+tx] = W1[(tx+1) % 32]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    bx = T.launch_thread("blockIdx.x", 4)
    W1 = T.allocate([1], "float32", "local")
    tx = T.launch_thread("threadIdx.x", 32)
    W1_1 = T.Buffer((32,), data=W1, scope="local")
    W1_1[0] = A[bx * 32 + tx]
    B[bx * 32 + tx] = T.tvm_warp_shuffle(T.tvm_warp_activemask(), W1_1[0], (tx + 1) % 32, 32, 32)
