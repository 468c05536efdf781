# pass: tir.LowerThreadAllreduce
# no masks, warps of 16
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    T.func_attr({"target": T.target("metal")})
    blockIdx_x = T.launch_thread("blockIdx.x", 1)
    resd = T.allocate([1], "float32", "local")
    threadIdx_x = T.launch_thread("threadIdx.x", 32)
    res = T.Buffer((1,), "float32", data=resd, scope="local")
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_thread_allreduce(T.uint32(1), A[blockIdx_x * 128 + threadIdx_x], T.bool(True), res[0], threadIdx_x)
    if threadIdx_x == 0:
        B[blockIdx_x] = res[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    T.func_attr({"target": T.target({"keys": ["metal", "gpu"], "kind": "metal", "max_function_args": 31, "max_num_threads": 256, "max_shared_memory_per_block": 32768, "max_threads_per_block": 256, "tag": "", "thread_warp_size": 16})})
    blockIdx_x = T.launch_thread("blockIdx.x", 1)
    red_result = T.allocate([1], "float32", "shared")
    T.attr(red_result, "volatile_scope", 1)
    threadIdx_x = T.launch_thread("threadIdx.x", 32)
    red_result_1 = T.Buffer((1,), data=red_result, scope="shared")
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        red_buf0 = T.decl_buffer((1,), scope="local")
        t0 = T.decl_buffer((1,), scope="local")
        red_buf0_1 = T.decl_buffer((1,), scope="local")
        t0_1 = T.decl_buffer((1,), scope="local")
        red_buf_staging = T.decl_buffer((2,), scope="shared")
        red_buf0_1[0] = A[blockIdx_x * 128 + threadIdx_x]
        t0_1[0] = T.tvm_warp_shuffle_down(0, red_buf0_1[0], 8, 16, 16)
        red_buf0_1[0] = red_buf0_1[0] + t0_1[0]
        t0_1[0] = T.tvm_warp_shuffle_down(0, red_buf0_1[0], 4, 16, 16)
        red_buf0_1[0] = red_buf0_1[0] + t0_1[0]
        t0_1[0] = T.tvm_warp_shuffle_down(0, red_buf0_1[0], 2, 16, 16)
        red_buf0_1[0] = red_buf0_1[0] + t0_1[0]
        t0_1[0] = T.tvm_warp_shuffle_down(0, red_buf0_1[0], 1, 16, 16)
        red_buf0_1[0] = red_buf0_1[0] + t0_1[0]
        if threadIdx_x % 16 == 0:
            red_buf_staging[threadIdx_x // 16] = red_buf0_1[0]
        T.tvm_storage_sync("shared")
        if threadIdx_x < 2:
            red_buf0[0] = red_buf_staging[threadIdx_x]
        t0[0] = T.tvm_warp_shuffle_down(0, red_buf0[0], 1, 16, 16)
        red_buf0[0] = red_buf0[0] + t0[0]
        if threadIdx_x == 0:
            red_result_1[0] = red_buf0[0]
        T.tvm_storage_sync("shared")
    if threadIdx_x == 0:
        B[blockIdx_x] = red_result_1[0]
