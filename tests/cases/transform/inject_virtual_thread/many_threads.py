# pass: tir.InjectVirtualThread
# differs from TVM: its buffer does not have the shape of the memory
@T.prim_func
def main(A: T.Buffer((128,), "float32"), C: T.Buffer((128,), "float32")):
    with T.launch_thread("vthread", 32) as vx:
        for i in range(4):
            B = T.allocate([4], "float32", "shared")
            B_1 = T.Buffer((4,), data=B, scope="shared")
            B_1[i] = A[i + vx * 4]
            C[i + vx * 4] = B_1[i] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32"), C: T.Buffer((128,), "float32")):
    for i in range(4):
        B_1 = T.allocate([128], "float32", "shared")
        B_1_1 = T.Buffer((128,), data=B_1, scope="shared")
        for vx_s in range(32):
            B_1_1[vx_s * 4 + i] = A[i + vx_s * 4]
        for vx_s in range(32):
            C[i + vx_s * 4] = B_1_1[vx_s * 4 + i] + T.float32(1)
