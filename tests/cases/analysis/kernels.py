# program: gpu1
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    with T.launch_thread("blockIdx.x", 4) as bx:
        with T.launch_thread("threadIdx.x", 32) as tx:
            B[bx * 32 + tx] = A[bx * 32 + tx]

# program: gpu2
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    with T.launch_thread("blockIdx.x", 4) as bx:
        with T.launch_thread("threadIdx.x", 16) as tx:
            with T.launch_thread("threadIdx.y", 8) as ty:
                B[bx * 128 + tx * 8 + ty] = A[bx * 32 + tx]

# program: gpu3
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    with T.launch_thread("blockIdx.x", 4) as bx:
        s = T.allocate([512], "float32", "shared")
        ss = T.Buffer((512,), data=s, scope="shared")
        with T.launch_thread("threadIdx.x", 8) as tx:
            l = T.allocate([32], "float32", "local")
            ll = T.Buffer((32,), data=l, scope="local")
            ll[0] = 1.0
            ss[tx] = ll[0]
            B[bx * 8 + tx] = ss[tx]
    with T.launch_thread("blockIdx.x", 4) as bx:
        with T.launch_thread("threadIdx.x", 8) as tx:
            B[bx * 8 + tx] = A[tx]

# program: gpu4
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    with T.launch_thread("blockIdx.x", 4) as bx:
        with T.launch_thread("threadIdx.x", 8) as tx:
            B[tx] = A[tx]
        with T.launch_thread("threadIdx.x", 8) as tx:
            B[tx] = A[tx]

# program: gpu5
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    with T.launch_thread("blockIdx.x", 4) as bx:
        with T.launch_thread("threadIdx.x", 8) as tx:
            B[tx] = A[tx]
        with T.launch_thread("threadIdx.x", 16) as tx:
            B[tx] = A[tx]

# program: gpu6
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    with T.launch_thread("blockIdx.x", 4) as bx:
        with T.launch_thread("threadIdx.x", 8) as tx:
            B[T.Ramp(0, 1, 4)] = A[T.Ramp(tx, 1, 4)]

# program: gpu7
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    with T.launch_thread("blockIdx.x", 4) as bx:
        with T.launch_thread("threadIdx.x", 8) as tx:
            s = T.allocate([12], "float32x4", "shared")
            ss = T.Buffer((12,), "float32x4", data=s, scope="shared")
            ss[0] = T.Broadcast(T.float32(1), 4)

# program: gpu8
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    with T.attr(T.iter_var(T.int32(), (0, 4), "ThreadIndex", "vthread"), "virtual_thread", 4):
        with T.launch_thread("threadIdx.x", 8) as tx:
            B[tx] = A[tx]

# program: gpu9
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    with T.launch_thread("vthread.x", 4) as vx:
        with T.launch_thread("threadIdx.x", 8) as tx:
            B[tx * 4 + vx] = A[tx]

# program: gpu10
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    with T.launch_thread("vthread", 4) as vx:
        with T.launch_thread("threadIdx.x", 32) as tx:
            B[tx * 4 + vx] = A[tx]

# program: gpu11
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32"), n: T.int32):
    with T.launch_thread("blockIdx.x", n) as bx:
        with T.launch_thread("threadIdx.x", n) as tx:
            B[bx * 32 + tx] = A[bx * 32 + tx]

# program: gpu12
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    for i in T.serial(4):
        with T.launch_thread("threadIdx.x", 32) as tx:
            s = T.allocate([512], "float32", "shared.dyn")
            ss = T.Buffer((512,), data=s, scope="shared.dyn")
            ss[tx] = A[tx]
            B[tx] = ss[tx]

# program: gpu13
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    with T.launch_thread("blockIdx.x", 4) as bx:
        with T.launch_thread("threadIdx.z", 2) as tz:
            with T.launch_thread("threadIdx.y", 8) as ty:
                B[bx * 128 + tz * 8 + ty] = A[bx * 32 + ty]

# program: gpu14
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    for vthread_s in T.serial(4):
        with T.launch_thread("threadIdx.x", 8) as tx:
            B[T.Ramp(0, 1, 4)] = T.Cast("float32x4", T.Cast("int32x4", A[T.Ramp(tx, 1, 4)]))

# program: gpu15
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    with T.launch_thread("threadIdx.x", 8) as tx:
        l = T.allocate([4, 4], "float64", "local")
        ll = T.Buffer((16,), "float64", data=l, scope="local")
        for i in T.vectorized(4):
            ll[i] = T.float64(1)
            B[tx] = T.Cast("float32", ll[i])

# program: gpu16
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    for i in T.thread_binding(32, "threadIdx.x"):
        for j in T.thread_binding(32, "threadIdx.y"):
            B[i * 32 + j] = A[i]
