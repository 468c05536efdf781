# pass: tir.InjectVirtualThread
# differs from TVM: its buffer does not have the shape of the memory
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    tx = T.launch_thread("threadIdx.x", 4)
    vx = T.launch_thread("vthread", 2)
    ty = T.launch_thread("threadIdx.y", 2)
    S = T.allocate([1], "float32", "local")
    S_1 = T.Buffer((1,), data=S, scope="local")
    S_1[0] = T.float32(0)
    for k in range(4):
        S_1[0] = S_1[0] + A[vx * 32 + tx * 8 + ty * 4 + k]
    B[vx * 8 + tx * 2 + ty] = S_1[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    tx = T.launch_thread("threadIdx.x", 4)
    ty = T.launch_thread("threadIdx.y", 2)
    S_1 = T.allocate([2], "float32", "local")
    S_1_1 = T.Buffer((2,), data=S_1, scope="local")
    S_1_1[0] = T.float32(0)
    S_1_1[1] = T.float32(0)
    for k in range(4):
        S_1_1[0] = S_1_1[0] + A[T.Mul(0, 32) + tx * 8 + ty * 4 + k]
        S_1_1[1] = S_1_1[1] + A[T.Mul(1, 32) + tx * 8 + ty * 4 + k]
    B[T.Mul(0, 8) + tx * 2 + ty] = S_1_1[0]
    B[T.Mul(1, 8) + tx * 2 + ty] = S_1_1[1]
