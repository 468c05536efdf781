# pass: tir.BF16ComputeLegalize
# the device computes with bfloat16 itself
@T.prim_func
def main(A: T.Buffer((16,), "bfloat16")):
    T.func_attr({"target": T.target("cuda -arch=sm_80")})
    for i in range(16):
        A[i] = A[i] + A[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "bfloat16")):
    T.func_attr({"target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    for i in range(16):
        A[i] = A[i] + A[i]
