# pass: tir.RenormalizeSplitPattern
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    t = T.launch_thread("threadIdx.x", 32)
    for i in range(2):
        A[i * 32 + t] = T.if_then_else(32 <= i * 32 + t and (i * 32 + t) % 16 // 8 < 1, B[i * 32 + t], 0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    t = T.launch_thread("threadIdx.x", 32)
    for i in range(2):
        A[i * 32 + t] = T.if_then_else(1 <= i + t // 32 and (i * 4 + t // 8) % 2 < 1, B[i * 32 + t], 0)
