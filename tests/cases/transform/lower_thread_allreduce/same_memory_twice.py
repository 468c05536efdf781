# pass: tir.LowerThreadAllreduce
# two reductions leave their results in the same memory
# differs from TVM: its second reduction has no memory, and what it made is not read
@T.prim_func
def main(A: T.Buffer((8,), "int8"), B: T.Buffer((2,), "int8")):
    T.func_attr({"target": T.target("cuda")})
    blockIdx_x = T.launch_thread("blockIdx.x", 1)
    resd = T.allocate([1], "int8", "local")
    threadIdx_x = T.launch_thread("threadIdx.x", 4)
    res = T.Buffer((1,), "int8", data=resd, scope="local")
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [T.int8(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_thread_allreduce(T.uint32(1), A[threadIdx_x], T.bool(True), res[0], threadIdx_x)
    if threadIdx_x == 0:
        B[0] = res[0]
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [T.int8(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_thread_allreduce(T.uint32(1), A[threadIdx_x + 4], T.bool(True), res[0], threadIdx_x)
    if threadIdx_x == 0:
        B[1] = res[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "int8"), B: T.Buffer((2,), "int8")):
    T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    blockIdx_x = T.launch_thread("blockIdx.x", 1)
    red_buf0 = T.allocate([4], "int8", "shared")
    T.attr(red_buf0, "volatile_scope", 1)
    red_buf0_1 = T.allocate([4], "int8", "shared")
    T.attr(red_buf0_1, "volatile_scope", 1)
    threadIdx_x = T.launch_thread("threadIdx.x", 4)
    red_buf0_2 = T.Buffer((4,), "int8", data=red_buf0_1, scope="shared")
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [T.int8(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_storage_sync("shared")
        red_buf0_2[threadIdx_x] = A[threadIdx_x]
        T.tvm_storage_sync("shared")
        if threadIdx_x < 2:
            with T.LetStmt(red_buf0_2[threadIdx_x] + red_buf0_2[threadIdx_x + 2]) as w_2_0:
                T.tvm_storage_sync("warp")
                red_buf0_2[threadIdx_x] = w_2_0
                T.tvm_storage_sync("warp")
            w_1_0: T.int8 = red_buf0_2[threadIdx_x] + red_buf0_2[threadIdx_x + 1]
            T.tvm_storage_sync("warp")
            red_buf0_2[threadIdx_x] = w_1_0
            T.tvm_storage_sync("warp")
        T.tvm_storage_sync("shared")
    if threadIdx_x == 0:
        B[0] = red_buf0_2[0]
    red_buf0_3 = T.Buffer((4,), "int8", data=red_buf0, scope="shared")
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [T.int8(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_storage_sync("shared")
        red_buf0_3[threadIdx_x] = A[threadIdx_x + 4]
        T.tvm_storage_sync("shared")
        if threadIdx_x < 2:
            with T.LetStmt(red_buf0_3[threadIdx_x] + red_buf0_3[threadIdx_x + 2]) as w_2_0:
                T.tvm_storage_sync("warp")
                red_buf0_3[threadIdx_x] = w_2_0
                T.tvm_storage_sync("warp")
            w_1_0: T.int8 = red_buf0_3[threadIdx_x] + red_buf0_3[threadIdx_x + 1]
            T.tvm_storage_sync("warp")
            red_buf0_3[threadIdx_x] = w_1_0
            T.tvm_storage_sync("warp")
        T.tvm_storage_sync("shared")
    if threadIdx_x == 0:
        B[1] = red_buf0_3[0]
