# pass: tir.LowerThreadAllreduce
# raises: InvalidAllreduce
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    blockIdx_x = T.launch_thread("blockIdx.x", 1)
    resd = T.allocate([1], "float32", "local")
    threadIdx_x = T.launch_thread("threadIdx.x", 1)
    res = T.Buffer((1,), "float32", data=resd, scope="local")
    with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_thread_allreduce(T.uint32(1), A[blockIdx_x * 128 + threadIdx_x], T.bool(True), res[0], threadIdx_x)
    if threadIdx_x == 0:
        B[blockIdx_x] = res[0]

# after
error[TS4065]: a reduction over threads cannot be lowered: it reduces over a thread that is not launched
 --> <text>:9:9
  |
9 |         T.tvm_thread_allreduce(T.uint32(1), A[blockIdx_x * 128 + threadIdx_x], T.bool(True), res[0], threadIdx_x)
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
