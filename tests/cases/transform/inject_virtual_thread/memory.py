# pass: tir.InjectVirtualThread
@T.prim_func
def main(A: T.Buffer((64,), "int32")):
    vthread = T.env_thread("vthread")
    T.launch_thread(vthread, 4)
    B_data = T.allocate([4], "int32", "shared")
    B = T.Buffer([4], "int32", data=B_data, scope="shared")
    B[0:4] = T.broadcast(vthread, 4)
    A[vthread] = B[2]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32")):
    B = T.allocate([16], "int32", "shared")
    B_1 = T.Buffer((16,), "int32", data=B, scope="shared")
    B_1[T.Mul(0, 4):T.Mul(0, 4) + 4] = T.Broadcast(0, 4)
    B_1[T.Mul(1, 4):T.Mul(1, 4) + 4] = T.Broadcast(1, 4)
    B_1[T.Mul(2, 4):T.Mul(2, 4) + 4] = T.Broadcast(2, 4)
    B_1[T.Mul(3, 4):T.Mul(3, 4) + 4] = T.Broadcast(3, 4)
    A[0] = B_1[T.Mul(0, 4) + 2]
    A[1] = B_1[T.Mul(1, 4) + 2]
    A[2] = B_1[T.Mul(2, 4) + 2]
    A[3] = B_1[T.Mul(3, 4) + 2]
