# pass: tir.LowerThreadAllreduce
# raises: InvalidAllreduce
@T.prim_func
def main(A: T.Buffer((32,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    tx = T.launch_thread("threadIdx.x", 32)
    with T.attr(T.comm_reducer(lambda a, b: a + b, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_thread_allreduce(T.uint32(1), A[tx])

# after
error[TS4065]: a reduction over threads cannot be lowered: 1 values, a condition and 1 results are needed
 --> <text>:6:9
  |
6 |         T.tvm_thread_allreduce(T.uint32(1), A[tx])
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
