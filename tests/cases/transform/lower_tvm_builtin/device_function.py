# pass: tir.LowerTVMBuiltin
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("cuda")})
    B = T.allocate([1024], "float32", "global")
    B1 = T.Buffer((1024,), data=B)
    B1[0] = A[0, 0]
    B1[1] = A[0, 1]
    B1[2] = A[0, 2]
    A[0, 0] = B1[0] + T.float32(1)
    A[0, 1] = B1[1] + B1[2]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    B1 = T.allocate([1024], "float32", "global")
    B1_1 = T.Buffer((1024,), data=B1)
    B1_1[0] = A[0, 0]
    B1_1[1] = A[0, 1]
    B1_1[2] = A[0, 2]
    A[0, 0] = B1_1[0] + T.float32(1)
    A[0, 1] = B1_1[1] + B1_1[2]
