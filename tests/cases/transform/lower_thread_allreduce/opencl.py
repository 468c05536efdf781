# pass: tir.LowerThreadAllreduce
# no warps
@T.prim_func
def main(A: T.Buffer((4096,), "int32"), B: T.Buffer((4096,), "int32")):
    T.func_attr({"target": T.target("opencl")})
    blockIdx_x = T.launch_thread("blockIdx.x", 1)
    resd = T.allocate([1], "int32", "local")
    threadIdx_x = T.launch_thread("threadIdx.x", 8)
    res = T.Buffer((1,), "int32", data=resd, scope="local")
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [0]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_thread_allreduce(T.uint32(1), A[blockIdx_x * 128 + threadIdx_x], T.bool(True), res[0], threadIdx_x)
    if threadIdx_x == 0:
        B[blockIdx_x] = res[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "int32"), B: T.Buffer((4096,), "int32")):
    T.func_attr({"target": T.target({"keys": ["opencl", "gpu"], "kind": "opencl", "max_function_args": 128, "max_num_threads": 256, "max_shared_memory_per_block": 16384, "max_threads_per_block": 256, "tag": "", "texture_spatial_limit": 16384, "thread_warp_size": 1})})
    blockIdx_x = T.launch_thread("blockIdx.x", 1)
    red_buf0 = T.allocate([8], "int32", "shared")
    T.attr(red_buf0, "volatile_scope", 1)
    threadIdx_x = T.launch_thread("threadIdx.x", 8)
    red_buf0_1 = T.Buffer((8,), "int32", data=red_buf0, scope="shared")
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [0]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_storage_sync("shared")
        red_buf0_1[threadIdx_x] = A[blockIdx_x * 128 + threadIdx_x]
        T.tvm_storage_sync("shared")
        if threadIdx_x < 4:
            red_buf0_1[threadIdx_x] = red_buf0_1[threadIdx_x] + red_buf0_1[threadIdx_x + 4]
        T.tvm_storage_sync("shared")
        if threadIdx_x < 2:
            red_buf0_1[threadIdx_x] = red_buf0_1[threadIdx_x] + red_buf0_1[threadIdx_x + 2]
        T.tvm_storage_sync("shared")
        if threadIdx_x < 1:
            red_buf0_1[threadIdx_x] = red_buf0_1[threadIdx_x] + red_buf0_1[threadIdx_x + 1]
        T.tvm_storage_sync("shared")
    if threadIdx_x == 0:
        B[blockIdx_x] = red_buf0_1[0]
