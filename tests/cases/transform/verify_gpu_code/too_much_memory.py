# pass: tir.VerifyGPUCode({"max_shared_memory_per_block": 256, "max_vector_bytes": 8})
# differs from TVM: the oracle has no constructor for it
# raises: LimitExceeded
@T.prim_func
def main(A: T.Buffer((128,), "float32")):
    with T.launch_thread("threadIdx.x", 32) as tx:
        S = T.allocate([128], "float32", "shared")
        S_1 = T.Buffer((128,), data=S, scope="shared")
        S_1[tx * 4:tx * 4 + 4] = A[tx * 4:tx * 4 + 4]

# after
error[TS4094]: 512 bytes of shared memory are more than the 256 of max_shared_memory_per_block
 --> <text>:3:10
  |
3 |     with T.launch_thread("threadIdx.x", 32) as tx:
  |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

error[TS4094]: 16 bytes in a vector are more than the 8 of max_vector_bytes
 --> <text>:6:9
  |
6 |         S_1[tx * 4:tx * 4 + 4] = A[tx * 4:tx * 4 + 4]
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

error[TS4094]: 16 bytes in a vector are more than the 8 of max_vector_bytes
 --> <text>:6:34
  |
6 |         S_1[tx * 4:tx * 4 + 4] = A[tx * 4:tx * 4 + 4]
  |                                  ^^^^^^^^^^^^^^^^^^^^

3 errors
