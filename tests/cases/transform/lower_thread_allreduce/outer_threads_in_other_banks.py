# pass: tir.LowerThreadAllreduce(avoids_conflicts=True)
# those that reduce do not follow each other: values of neighbouring threads are neighbours
# differs from TVM: it has no such option
@T.prim_func
def main(A: T.Buffer((4096,), "int32"), B: T.Buffer((4096,), "int32")):
    T.func_attr({"target": T.target("cuda")})
    blockIdx_x = T.launch_thread("blockIdx.x", 1)
    resd = T.allocate([1], "int32", "local")
    threadIdx_y = T.launch_thread("threadIdx.y", 8)
    threadIdx_x = T.launch_thread("threadIdx.x", 4)
    res = T.Buffer((1,), "int32", data=resd, scope="local")
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [0]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_thread_allreduce(T.uint32(1), A[blockIdx_x * 128 + threadIdx_y * 4 + threadIdx_x], T.bool(True), res[0], threadIdx_y)
    if threadIdx_x + threadIdx_y == 0:
        B[blockIdx_x] = res[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "int32"), B: T.Buffer((4096,), "int32")):
    T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    blockIdx_x = T.launch_thread("blockIdx.x", 1)
    red_buf0 = T.allocate([32], "int32", "shared")
    T.attr(red_buf0, "volatile_scope", 1)
    threadIdx_y = T.launch_thread("threadIdx.y", 8)
    threadIdx_x = T.launch_thread("threadIdx.x", 4)
    red_buf0_1 = T.Buffer((32,), "int32", data=red_buf0, scope="shared")
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [0]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_storage_sync("shared")
        red_buf0_1[threadIdx_y * 4 + threadIdx_x] = A[blockIdx_x * 128 + threadIdx_y * 4 + threadIdx_x]
        T.tvm_storage_sync("shared")
        if threadIdx_y < 4:
            red_buf0_1[threadIdx_y * 4 + threadIdx_x] = red_buf0_1[threadIdx_y * 4 + threadIdx_x] + red_buf0_1[threadIdx_y * 4 + threadIdx_x + 16]
        T.tvm_storage_sync("shared")
        if threadIdx_y < 2:
            red_buf0_1[threadIdx_y * 4 + threadIdx_x] = red_buf0_1[threadIdx_y * 4 + threadIdx_x] + red_buf0_1[threadIdx_y * 4 + threadIdx_x + 8]
        T.tvm_storage_sync("shared")
        if threadIdx_y < 1:
            red_buf0_1[threadIdx_y * 4 + threadIdx_x] = red_buf0_1[threadIdx_y * 4 + threadIdx_x] + red_buf0_1[threadIdx_y * 4 + threadIdx_x + 4]
        T.tvm_storage_sync("shared")
    if threadIdx_x + threadIdx_y == 0:
        B[blockIdx_x] = red_buf0_1[threadIdx_x]
