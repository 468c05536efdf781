# pass: tir.MergeSharedMemoryAllocations
# values: not compared: what is copied is more than the memory holds
@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32"), C: T.Buffer((128,), "float32")):
    A_flattened = T.Buffer((128,), data=A.data)
    threadIdx_x = T.launch_thread("threadIdx.x", 128)
    A_sh_data = T.allocate([128], "float32", "shared.dyn")
    B_sh_data = T.allocate([128], "float32", "shared.dyn")
    C_sh_data = T.allocate([128], "float32", "shared.dyn")
    A_sh = T.Buffer((128,), data=A_sh_data, scope="shared.dyn")
    B_sh = T.Buffer((128,), data=B_sh_data, scope="shared.dyn")
    C_sh = T.Buffer((128,), data=C_sh_data, scope="shared.dyn")
    T.ptx_cp_async("float32", A_sh_data, threadIdx_x, A.data, threadIdx_x, 512)
    T.ptx_cp_async("float32", B_sh_data, 128, B.data, threadIdx_x, 512)
    T.ptx_cp_async_barrier(0)
    C_sh[threadIdx_x] = A_sh[threadIdx_x] + B_sh[threadIdx_x]
    C[threadIdx_x] = C_sh[threadIdx_x]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32"), C: T.Buffer((128,), "float32")):
    threadIdx_x = T.launch_thread("threadIdx.x", 128)
    buf_dyn_shmem = T.allocate([1024], "uint8", "shared.dyn")
    T.ptx_cp_async("float32", buf_dyn_shmem, (128 + threadIdx_x) * 4, A.data, threadIdx_x, 512)
    T.ptx_cp_async("float32", buf_dyn_shmem, 512, B.data, threadIdx_x, 512)
    T.ptx_cp_async_barrier(0)
    C_sh = T.Buffer((128,), data=buf_dyn_shmem, scope="shared.dyn")
    A_sh = T.Buffer((128,), data=buf_dyn_shmem, scope="shared.dyn")
    B_sh = T.Buffer((128,), data=buf_dyn_shmem, scope="shared.dyn")
    C_sh[threadIdx_x + 128] = A_sh[threadIdx_x + 128] + B_sh[threadIdx_x]
    C[threadIdx_x] = C_sh[threadIdx_x + 128]
