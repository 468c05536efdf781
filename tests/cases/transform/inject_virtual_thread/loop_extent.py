# pass: tir.InjectVirtualThread
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    with T.launch_thread("vthread", 2) as vx:
        for i in range(4):
            for j in range(vx + 1):
                B[vx * 8 + i + j] = A[vx * 8 + i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    for i, vx_s in T.grid(4, 2):
        for j in range(vx_s + 1):
            B[vx_s * 8 + i + j] = A[vx_s * 8 + i]
