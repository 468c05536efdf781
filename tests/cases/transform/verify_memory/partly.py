# pass: tir.VerifyMemory
# raises: HostAccess
# One part runs in threads, the other one does not. What is allocated is not looked at.
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    C = T.allocate([16], "float32", "global")
    C_1 = T.Buffer((16,), data=C)
    with T.launch_thread("threadIdx.x", 16) as tx:
        B[tx] = A[tx]
    C_1[0] = 1.0
    B[0] = C_1[0]

# after
error[TS4093]: B is accessed by the host: no loop around is bound to a thread
 --> <text>:9:5
  |
9 |     B[0] = C_1[0]
  |     ^^^^^^^^^^^^^
hint: bind loops to threads, or let tir.DefaultGPUSchedule do it
