# pass: tir.FP8ComputeLegalize
@T.prim_func
def main(A: T.Buffer((16,), "e4m3_float8")):
    T.func_attr({"target": T.target("cuda -arch=sm_90")})
    for i in range(16):
        A[i] = A[i] * A[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "e4m3_float8")):
    T.func_attr({"target": T.target({"arch": "sm_90", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    for i in range(16):
        A[i] = A[i] * A[i]
