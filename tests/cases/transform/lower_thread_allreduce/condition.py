# pass: tir.LowerThreadAllreduce
# those that do not meet it give the identity
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    blockIdx_x = T.launch_thread("blockIdx.x", 1)
    resd = T.allocate([1], "float32", "local")
    threadIdx_x = T.launch_thread("threadIdx.x", 32)
    res = T.Buffer((1,), "float32", data=resd, scope="local")
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_thread_allreduce(T.uint32(1), A[blockIdx_x * 128 + threadIdx_x], threadIdx_x < 7, res[0], threadIdx_x)
    if threadIdx_x == 0:
        B[blockIdx_x] = res[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    blockIdx_x = T.launch_thread("blockIdx.x", 1)
    red_buf0 = T.allocate([1], "float32", "local")
    threadIdx_x = T.launch_thread("threadIdx.x", 32)
    red_buf0_1 = T.Buffer((1,), data=red_buf0, scope="local")
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        mask = T.decl_buffer((1,), "uint32", scope="local")
        t0 = T.decl_buffer((1,), scope="local")
        red_buf0_1[0] = T.Select(threadIdx_x < 7, A[blockIdx_x * 128 + threadIdx_x], T.float32(0))
        mask[0] = T.tvm_warp_activemask()
        t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_1[0], 16, 32, 32)
        red_buf0_1[0] = red_buf0_1[0] + t0[0]
        t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_1[0], 8, 32, 32)
        red_buf0_1[0] = red_buf0_1[0] + t0[0]
        t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_1[0], 4, 32, 32)
        red_buf0_1[0] = red_buf0_1[0] + t0[0]
        t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_1[0], 2, 32, 32)
        red_buf0_1[0] = red_buf0_1[0] + t0[0]
        t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_1[0], 1, 32, 32)
        red_buf0_1[0] = red_buf0_1[0] + t0[0]
        red_buf0_1[0] = T.tvm_warp_shuffle(mask[0], red_buf0_1[0], 0, 32, 32)
    if threadIdx_x == 0:
        B[blockIdx_x] = red_buf0_1[0]
