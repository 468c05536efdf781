# pass: tir.InjectVirtualThread
# raises: VirtualThreadsUnknown
# differs from TVM: its process dies
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    with T.launch_thread("vthread", n) as vx:
        B[vx] = A[vx]

# after
error[TS4040]: the extent n of the virtual thread vx is not constant
 --> <text>:3:10
  |
3 |     with T.launch_thread("vthread", n) as vx:
  |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
