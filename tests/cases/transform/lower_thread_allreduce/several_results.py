# pass: tir.LowerThreadAllreduce
# differs from TVM: TVM takes one result
@T.prim_func
def main(A: T.Buffer((32,), "float32"), B: T.Buffer((2,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    r = T.allocate([2], "float32", "local")
    tx = T.launch_thread("threadIdx.x", 16)
    r1 = T.Buffer((2,), "float32", data=r, scope="local")
    with T.attr(
        T.comm_reducer(lambda a, b: a + b, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))
    ):
        T.tvm_thread_allreduce(T.uint32(1), A[tx], T.bool(True), r1[0], tx)
        T.tvm_thread_allreduce(T.uint32(1), A[16 + tx], T.bool(True), r1[1], tx)
    if tx == 0:
        B[0] = r1[0]
        B[1] = r1[1]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((32,), "float32"), B: T.Buffer((2,), "float32")):
    T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    red_buf0 = T.allocate([1], "float32", "local")
    red_buf0_1 = T.allocate([1], "float32", "local")
    r1 = T.allocate([2], "float32", "local")
    tx = T.launch_thread("threadIdx.x", 16)
    r1_1 = T.Buffer((2,), data=r1, scope="local")
    with T.attr(T.comm_reducer(lambda a, b: a + b, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        with T.decl_buffer((1,), "uint32", scope="local") as mask:
            t0 = T.decl_buffer((1,), scope="local")
            red_buf0_2 = T.Buffer((1,), data=red_buf0_1, scope="local")
            red_buf0_2[0] = A[tx]
            mask[0] = T.tvm_warp_activemask()
            t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_2[0], 8, 32, 32)
            red_buf0_2[0] = red_buf0_2[0] + t0[0]
            t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_2[0], 4, 32, 32)
            red_buf0_2[0] = red_buf0_2[0] + t0[0]
            t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_2[0], 2, 32, 32)
            red_buf0_2[0] = red_buf0_2[0] + t0[0]
            t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_2[0], 1, 32, 32)
            red_buf0_2[0] = red_buf0_2[0] + t0[0]
            red_buf0_2[0] = T.tvm_warp_shuffle(mask[0], red_buf0_2[0], 0, 32, 32)
            r1_1[0] = red_buf0_2[0]
        mask = T.decl_buffer((1,), "uint32", scope="local")
        t0 = T.decl_buffer((1,), scope="local")
        red_buf0_2 = T.Buffer((1,), data=red_buf0, scope="local")
        red_buf0_2[0] = A[16 + tx]
        mask[0] = T.tvm_warp_activemask()
        t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_2[0], 8, 32, 32)
        red_buf0_2[0] = red_buf0_2[0] + t0[0]
        t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_2[0], 4, 32, 32)
        red_buf0_2[0] = red_buf0_2[0] + t0[0]
        t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_2[0], 2, 32, 32)
        red_buf0_2[0] = red_buf0_2[0] + t0[0]
        t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_2[0], 1, 32, 32)
        red_buf0_2[0] = red_buf0_2[0] + t0[0]
        red_buf0_2[0] = T.tvm_warp_shuffle(mask[0], red_buf0_2[0], 0, 32, 32)
        r1_1[1] = red_buf0_2[0]
    if tx == 0:
        B[0] = r1_1[0]
        B[1] = r1_1[1]
