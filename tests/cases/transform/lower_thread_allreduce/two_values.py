# pass: tir.LowerThreadAllreduce
# differs from TVM: its second value is chosen by what the first one has become
# values: not compared: of equal values, any index may come out
@T.prim_func
def main(A: T.Buffer((8,), "float32"), I: T.Buffer((8,), "int32"), B: T.Buffer((1,), "float32"), C: T.Buffer((1,), "int32")):
    T.func_attr({"target": T.target("cuda")})
    v = T.allocate([1], "float32", "local")
    w = T.allocate([1], "int32", "local")
    tx = T.launch_thread("threadIdx.x", 8)
    v1 = T.Buffer((1,), data=v, scope="local")
    w1 = T.Buffer((1,), "int32", data=w, scope="local")
    with T.attr(T.comm_reducer(lambda x0, x1, y0, y1: (T.Select(x0 >= y0, x0, y0), T.Select(x0 >= y0, x1, y1)), [T.float32(-3), T.int32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_thread_allreduce(T.uint32(2), A[tx], I[tx], T.bool(True), v1[0], w1[0], tx)
    if tx == 0:
        B[0] = v1[0]
        C[0] = w1[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "float32"), I_1: T.Buffer((8,), "int32"), B: T.Buffer((1,), "float32"), C: T.Buffer((1,), "int32")):
    T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    red_buf0 = T.allocate([1], "float32", "local")
    red_buf1 = T.allocate([1], "int32", "local")
    tx = T.launch_thread("threadIdx.x", 8)
    red_buf0_1 = T.Buffer((1,), data=red_buf0, scope="local")
    red_buf1_1 = T.Buffer((1,), "int32", data=red_buf1, scope="local")
    with T.attr(T.comm_reducer(lambda x0, x1, y0, y1: (T.Select(x0 >= y0, x0, y0), T.Select(x0 >= y0, x1, y1)), [T.float32(-3), 0]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        mask = T.decl_buffer((1,), "uint32", scope="local")
        t1 = T.decl_buffer((1,), "int32", scope="local")
        t0 = T.decl_buffer((1,), scope="local")
        red_buf0_1[0] = A[tx]
        red_buf1_1[0] = I_1[tx]
        mask[0] = T.tvm_warp_activemask()
        t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_1[0], 4, 32, 32)
        t1[0] = T.tvm_warp_shuffle_down(mask[0], red_buf1_1[0], 4, 32, 32)
        with T.LetStmt(T.Select(red_buf0_1[0] >= t0[0], red_buf0_1[0], t0[0])) as v_0:
            v_1: T.int32 = T.Select(red_buf0_1[0] >= t0[0], red_buf1_1[0], t1[0])
            red_buf0_1[0] = v_0
            red_buf1_1[0] = v_1
        t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_1[0], 2, 32, 32)
        t1[0] = T.tvm_warp_shuffle_down(mask[0], red_buf1_1[0], 2, 32, 32)
        with T.LetStmt(T.Select(red_buf0_1[0] >= t0[0], red_buf0_1[0], t0[0])) as v_0:
            v_1: T.int32 = T.Select(red_buf0_1[0] >= t0[0], red_buf1_1[0], t1[0])
            red_buf0_1[0] = v_0
            red_buf1_1[0] = v_1
        t0[0] = T.tvm_warp_shuffle_down(mask[0], red_buf0_1[0], 1, 32, 32)
        t1[0] = T.tvm_warp_shuffle_down(mask[0], red_buf1_1[0], 1, 32, 32)
        with T.LetStmt(T.Select(red_buf0_1[0] >= t0[0], red_buf0_1[0], t0[0])) as v_0:
            v_1: T.int32 = T.Select(red_buf0_1[0] >= t0[0], red_buf1_1[0], t1[0])
            red_buf0_1[0] = v_0
            red_buf1_1[0] = v_1
        red_buf0_1[0] = T.tvm_warp_shuffle(mask[0], red_buf0_1[0], 0, 32, 32)
        red_buf1_1[0] = T.tvm_warp_shuffle(mask[0], red_buf1_1[0], 0, 32, 32)
    if tx == 0:
        B[0] = red_buf0_1[0]
        C[0] = red_buf1_1[0]
