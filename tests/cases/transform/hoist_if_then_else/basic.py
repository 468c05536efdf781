# pass: tir.HoistIfThenElse("basic")
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    t = T.launch_thread("threadIdx.x", 8)
    for i in range(8):
        if n < 3:
            A[i * 8 + t] = 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    t = T.launch_thread("threadIdx.x", 8)
    if n < 3:
        for i in range(8):
            A[i * 8 + t] = 1
