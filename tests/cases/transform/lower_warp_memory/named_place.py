# pass: tir.LowerWarpMemory
# differs from TVM: it does not look through names of integers
@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    W = T.allocate([128], "float32", "warp")
    tx = T.launch_thread("threadIdx.x", 32)
    W1 = T.Buffer((128,), "float32", data=W, scope="warp")
    for i in range(2):
        with T.LetStmt(i * 64) as group:
            for j in range(2):
                W1[group + tx * 2 + j] = A[group + tx * 2 + j]
            B[group + tx * 2] = W1[group + tx * 2]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    W1 = T.allocate([4], "float32", "local")
    tx = T.launch_thread("threadIdx.x", 32)
    for i in range(2):
        group: T.int32 = i * 64
        W1_1 = T.Buffer((128,), data=W1, scope="local")
        for j in range(2):
            W1_1[i * 2 + j] = A[group + tx * 2 + j]
        B[group + tx * 2] = W1_1[i * 2]
