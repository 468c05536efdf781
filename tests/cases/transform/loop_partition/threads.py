# pass: tir.LoopPartition
# differs from TVM: sizes of the parts are written simplified
# values: not compared: n is any number
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    bx = T.launch_thread("blockIdx.x", (n + 31) // 32)
    tx = T.launch_thread("threadIdx.x", 32)
    if T.likely(bx * 32 + tx < n):
        A[bx * 32 + tx] = 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    bx = T.launch_thread("blockIdx.x", (n + 31) // 32)
    tx = T.launch_thread("threadIdx.x", 32)
    if bx < n // 32:
        if T.bool(True):
            A[bx * 32 + tx] = 1
    else:
        if bx * 32 + tx < n:
            A[bx * 32 + tx] = 1
