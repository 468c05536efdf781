# pass: tir.MergeSharedMemoryAllocations
@T.prim_func
def main(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32")):
    bx = T.launch_thread("blockIdx.x", 1)
    S = T.allocate([256], "float32", "shared.dyn")
    R = T.allocate([256], "float32", "shared.dyn")
    tx = T.launch_thread("threadIdx.x", 64)
    S1 = T.Buffer((256,), "float32", data=S, scope="shared.dyn")
    R1 = T.Buffer((256,), "float32", data=R, scope="shared.dyn")
    S1[T.Ramp(T.Cast("int64", tx) * T.int64(4), T.int64(1), 4)] = A[T.Ramp(tx * 4, 1, 4)]
    R1[T.Ramp(T.Cast("int64", tx) * T.int64(4), T.int64(1), 4)] = A[T.Ramp(tx * 4, 1, 4)]
    B[T.Ramp(tx * 4, 1, 4)] = S1[T.Ramp(T.Cast("int64", tx) * T.int64(4), T.int64(1), 4)] + R1[T.Ramp(T.Cast("int64", tx) * T.int64(4), T.int64(1), 4)]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32")):
    bx = T.launch_thread("blockIdx.x", 1)
    buf_dyn_shmem = T.allocate([2048], "uint8", "shared.dyn")
    tx = T.launch_thread("threadIdx.x", 64)
    S1 = T.Buffer((256,), data=buf_dyn_shmem, scope="shared.dyn")
    S1[T.Ramp(T.Cast("int64", tx) * T.int64(4), T.int64(1), 4) + T.Broadcast(T.int64(0), 4)] = A[tx * 4:tx * 4 + 4]
    R1 = T.Buffer((256,), data=buf_dyn_shmem, scope="shared.dyn")
    R1[T.Ramp(T.Cast("int64", tx) * T.int64(4), T.int64(1), 4) + T.Broadcast(T.int64(256), 4)] = A[tx * 4:tx * 4 + 4]
    B[tx * 4:tx * 4 + 4] = S1[T.Ramp(T.Cast("int64", tx) * T.int64(4), T.int64(1), 4) + T.Broadcast(T.int64(0), 4)] + R1[T.Ramp(T.Cast("int64", tx) * T.int64(4), T.int64(1), 4) + T.Broadcast(T.int64(256), 4)]
