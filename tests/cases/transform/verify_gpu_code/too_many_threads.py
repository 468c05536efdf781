# pass: tir.VerifyGPUCode({"max_threads_per_block": 64})
# raises: LimitExceeded
# differs from TVM: it knows threads by the names of variables, which a text does not keep
@T.prim_func
def main(A: T.Buffer((128,), "float32")):
    with T.launch_thread("threadIdx.x", 32) as tx, T.launch_thread("threadIdx.y", 4) as ty:
        A[ty * 32 + tx] = 1.0

# after
error[TS4094]: 128 threads in a block are more than the 64 of max_threads_per_block
 --> <text>:3:10
  |
3 |     with T.launch_thread("threadIdx.x", 32) as tx, T.launch_thread("threadIdx.y", 4) as ty:
  |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
