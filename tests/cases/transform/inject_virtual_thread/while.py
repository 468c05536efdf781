# pass: tir.InjectVirtualThread
# differs from TVM: it has no while loops
# values: not compared: the loop need not end
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    with T.launch_thread("vthread", 2) as vx:
        while B[vx] < T.float32(2):
            B[vx] = A[vx + 1]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    for vx_s in range(2):
        while B[vx_s] < T.float32(2):
            B[vx_s] = A[vx_s + 1]
