# pass: tir.LowerThreadAllreduce
# differs from TVM: its second value is chosen by what the first one has become
# of equal values the first one counts: its index is the same however they are combined
@T.prim_func
def main(A: T.Buffer((12,), "int8"), B: T.Buffer((12,), "int8"), C: T.Buffer((12,), "int32")):
    T.func_attr({"target": T.target("cuda")})
    v = T.allocate([1], "int8", "local")
    w = T.allocate([1], "int32", "local")
    ty = T.launch_thread("threadIdx.y", 3)
    tx = T.launch_thread("threadIdx.x", 4)
    v1 = T.Buffer((1,), "int8", data=v, scope="local")
    w1 = T.Buffer((1,), "int32", data=w, scope="local")
    with T.attr(T.comm_reducer(lambda x0, x1, y0, y1: (T.Select(x0 > y0 or (x0 == y0 and x1 <= y1), x0, y0), T.Select(x0 > y0 or (x0 == y0 and x1 <= y1), x1, y1)), [T.int8(-128), 100]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_thread_allreduce(T.uint32(2), A[ty * 4 + tx], ty * 4 + tx, T.bool(True), v1[0], w1[0], ty)
    B[ty * 4 + tx] = v1[0]
    C[ty * 4 + tx] = w1[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((12,), "int8"), B: T.Buffer((12,), "int8"), C: T.Buffer((12,), "int32")):
    T.func_attr({"target": T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    red_buf0 = T.allocate([12], "int8", "shared")
    T.attr(red_buf0, "volatile_scope", 1)
    red_buf1 = T.allocate([12], "int32", "shared")
    T.attr(red_buf1, "volatile_scope", 1)
    ty = T.launch_thread("threadIdx.y", 3)
    tx = T.launch_thread("threadIdx.x", 4)
    red_buf0_1 = T.Buffer((12,), "int8", data=red_buf0, scope="shared")
    red_buf1_1 = T.Buffer((12,), "int32", data=red_buf1, scope="shared")
    with T.attr(T.comm_reducer(lambda x0, x1, y0, y1: (T.Select(x0 > y0 or x0 == y0 and x1 <= y1, x0, y0), T.Select(x0 > y0 or x0 == y0 and x1 <= y1, x1, y1)), [T.int8(-128), 100]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_storage_sync("shared")
        red_buf0_1[tx * 3 + ty] = A[ty * 4 + tx]
        red_buf1_1[tx * 3 + ty] = ty * 4 + tx
        T.tvm_storage_sync("shared")
        if ty < 1:
            v_0: T.int8 = T.Select(red_buf0_1[tx * 3 + ty] > red_buf0_1[tx * 3 + ty + 2] or red_buf0_1[tx * 3 + ty] == red_buf0_1[tx * 3 + ty + 2] and red_buf1_1[tx * 3 + ty] <= red_buf1_1[tx * 3 + ty + 2], red_buf0_1[tx * 3 + ty], red_buf0_1[tx * 3 + ty + 2])
            v_1: T.int32 = T.Select(red_buf0_1[tx * 3 + ty] > red_buf0_1[tx * 3 + ty + 2] or red_buf0_1[tx * 3 + ty] == red_buf0_1[tx * 3 + ty + 2] and red_buf1_1[tx * 3 + ty] <= red_buf1_1[tx * 3 + ty + 2], red_buf1_1[tx * 3 + ty], red_buf1_1[tx * 3 + ty + 2])
            red_buf0_1[tx * 3 + ty] = v_0
            red_buf1_1[tx * 3 + ty] = v_1
        T.tvm_storage_sync("shared")
        if ty < 1:
            v_0: T.int8 = T.Select(red_buf0_1[tx * 3 + ty] > red_buf0_1[tx * 3 + ty + 1] or red_buf0_1[tx * 3 + ty] == red_buf0_1[tx * 3 + ty + 1] and red_buf1_1[tx * 3 + ty] <= red_buf1_1[tx * 3 + ty + 1], red_buf0_1[tx * 3 + ty], red_buf0_1[tx * 3 + ty + 1])
            v_1: T.int32 = T.Select(red_buf0_1[tx * 3 + ty] > red_buf0_1[tx * 3 + ty + 1] or red_buf0_1[tx * 3 + ty] == red_buf0_1[tx * 3 + ty + 1] and red_buf1_1[tx * 3 + ty] <= red_buf1_1[tx * 3 + ty + 1], red_buf1_1[tx * 3 + ty], red_buf1_1[tx * 3 + ty + 1])
            red_buf0_1[tx * 3 + ty] = v_0
            red_buf1_1[tx * 3 + ty] = v_1
        T.tvm_storage_sync("shared")
    B[ty * 4 + tx] = red_buf0_1[tx * 3]
    C[ty * 4 + tx] = red_buf1_1[tx * 3]
