# pass: tir.BindTarget("c")
@T.prim_func
def main(A: T.Buffer((1,), "float32")):
    T.func_attr({"target": T.target("opencl")})
    A[0] = T.float32(0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((1,), "float32")):
    T.func_attr({"target": T.target({"keys": ["opencl", "gpu"], "kind": "opencl", "max_function_args": 128, "max_num_threads": 256, "max_shared_memory_per_block": 16384, "max_threads_per_block": 256, "tag": "", "texture_spatial_limit": 16384, "thread_warp_size": 1})})
    A[0] = T.float32(0)
