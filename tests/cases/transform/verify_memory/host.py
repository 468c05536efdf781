# pass: tir.VerifyMemory
# raises: HostAccess
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    for i in range(16):
        B[i] = A[i]

# after
error[TS4093]: B is accessed by the host: no loop around is bound to a thread
 --> <text>:5:9
  |
5 |         B[i] = A[i]
  |         ^^^^^^^^^^^
hint: bind loops to threads, or let tir.DefaultGPUSchedule do it

error[TS4093]: A is accessed by the host: no loop around is bound to a thread
 --> <text>:5:16
  |
5 |         B[i] = A[i]
  |                ^^^^
hint: bind loops to threads, or let tir.DefaultGPUSchedule do it

2 errors
