# pass: tir.LowerWarpMemory
# values: not compared: the interpreter has no fragments
@T.prim_func
def main(A: T.Buffer((4096,), "float16"), B: T.Buffer((4096,), "float16")):
    T.func_attr({"target": T.target("cuda")})
    bx = T.launch_thread("blockIdx.x", 4)
    W = T.allocate([256], "float16", "warp")
    tx = T.launch_thread("threadIdx.x", 32)
    W1 = T.Buffer((256,), "float16", data=W, scope="warp")
    T.ptx_ldmatrix("float16", T.bool(False), 4, ".b16", W1.data, tx*8, A.data, tx*8)
    T.mma_store("float32", 16, 16, B.data, W1.data, 0, 16)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "float16"), B: T.Buffer((4096,), "float16")):
    T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    bx = T.launch_thread("blockIdx.x", 4)
    W1 = T.allocate([8], "float16", "local")
    tx = T.launch_thread("threadIdx.x", 32)
    T.ptx_ldmatrix("float16", T.bool(False), 4, ".b16", W1, 0, A.data, tx * 8)
    T.mma_store("float32", 16, 16, B.data, W1, 0, 16)
