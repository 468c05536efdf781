# finds nothing
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 2)
    tx = T.launch_thread("threadIdx.x", 32)
    B[bx * 32 + tx] = T.tvm_warp_shuffle(T.uint32(0xFFFFFFFF), A[bx * 32 + tx], 31 - tx, 32, 32)
