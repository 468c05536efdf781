# pass: tir.LowerThreadAllreduce
# 33 threads are no number of warps
@T.prim_func
def main(A: T.Buffer((4096,), "int32"), B: T.Buffer((4096,), "int32")):
    T.func_attr({"target": T.target("cuda")})
    blockIdx_x = T.launch_thread("blockIdx.x", 1)
    resd = T.allocate([1], "int32", "local")
    threadIdx_x = T.launch_thread("threadIdx.x", 33)
    res = T.Buffer((1,), "int32", data=resd, scope="local")
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [0]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_thread_allreduce(T.uint32(1), A[blockIdx_x * 128 + threadIdx_x], T.bool(True), res[0], threadIdx_x)
    if threadIdx_x == 0:
        B[blockIdx_x] = res[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "int32"), B: T.Buffer((4096,), "int32")):
    T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    blockIdx_x = T.launch_thread("blockIdx.x", 1)
    red_buf0 = T.allocate([33], "int32", "shared")
    T.attr(red_buf0, "volatile_scope", 1)
    threadIdx_x = T.launch_thread("threadIdx.x", 33)
    red_buf0_1 = T.Buffer((33,), "int32", data=red_buf0, scope="shared")
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [0]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_storage_sync("shared")
        red_buf0_1[threadIdx_x] = A[blockIdx_x * 128 + threadIdx_x]
        T.tvm_storage_sync("shared")
        if threadIdx_x < 1:
            red_buf0_1[threadIdx_x] = red_buf0_1[threadIdx_x] + red_buf0_1[threadIdx_x + 32]
        T.tvm_storage_sync("shared")
        if threadIdx_x < 16:
            with T.LetStmt(red_buf0_1[threadIdx_x] + red_buf0_1[threadIdx_x + 16]) as w_16_0:
                T.tvm_storage_sync("warp")
                red_buf0_1[threadIdx_x] = w_16_0
                T.tvm_storage_sync("warp")
            with T.LetStmt(red_buf0_1[threadIdx_x] + red_buf0_1[threadIdx_x + 8]) as w_8_0:
                T.tvm_storage_sync("warp")
                red_buf0_1[threadIdx_x] = w_8_0
                T.tvm_storage_sync("warp")
            with T.LetStmt(red_buf0_1[threadIdx_x] + red_buf0_1[threadIdx_x + 4]) as w_4_0:
                T.tvm_storage_sync("warp")
                red_buf0_1[threadIdx_x] = w_4_0
                T.tvm_storage_sync("warp")
            with T.LetStmt(red_buf0_1[threadIdx_x] + red_buf0_1[threadIdx_x + 2]) as w_2_0:
                T.tvm_storage_sync("warp")
                red_buf0_1[threadIdx_x] = w_2_0
                T.tvm_storage_sync("warp")
            w_1_0: T.int32 = red_buf0_1[threadIdx_x] + red_buf0_1[threadIdx_x + 1]
            T.tvm_storage_sync("warp")
            red_buf0_1[threadIdx_x] = w_1_0
            T.tvm_storage_sync("warp")
        T.tvm_storage_sync("shared")
    if threadIdx_x == 0:
        B[blockIdx_x] = red_buf0_1[0]
