# pass: tir.LowerWarpMemory
# differs from TVM: its index of the thread is less simple
# values: not compared: before the shuffles, what is read depends on the order in which threads run
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    bx = T.launch_thread("blockIdx.x", 4)
    W = T.allocate([64], "float32", "warp")
    tx = T.launch_thread("threadIdx.x", 32)
    W1 = T.Buffer((64,), "float32", data=W, scope="warp")
    for i in range(2):
        W1[tx*2+i] = A[bx*64+tx*2+i]
    for i in range(2):
        B[bx*64+tx*2+i] = W1[(tx*2+i+2) % 64]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    bx = T.launch_thread("blockIdx.x", 4)
    W1 = T.allocate([2], "float32", "local")
    tx = T.launch_thread("threadIdx.x", 32)
    W1_1 = T.Buffer((64,), data=W1, scope="local")
    for i in range(2):
        W1_1[i] = A[bx * 64 + tx * 2 + i]
    for i in range(2):
        B[bx * 64 + tx * 2 + i] = T.tvm_warp_shuffle(T.tvm_warp_activemask(), W1_1[i], (tx + 1) % 32, 32, 32)
