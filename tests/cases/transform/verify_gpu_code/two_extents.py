# pass: tir.VerifyGPUCode
# raises: LaunchesDiffer
# differs from TVM: it knows threads by the names of variables, which a text does not keep
@T.prim_func
def main(A: T.Buffer((128,), "float32")):
    with T.launch_thread("blockIdx.x", 2) as bx:
        with T.launch_thread("threadIdx.x", 32) as tx:
            A[bx * 32 + tx] = 1.0
        with T.launch_thread("threadIdx.x", 64) as tx:
            A[bx * 64 + tx] = 2.0

# after
error[TS4098]: the kernel launches threadIdx.x with 32 threads and with 64
 --> <text>:6:14
  |
6 |         with T.launch_thread("threadIdx.x", 64) as tx:
  |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
