# pass: tir.StorageFlatten(64)
# values: not compared: realized regions do not run
# differs from TVM: its text does not read back; tests/ir/transform/memory compares
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
        T.func_attr({"from_legacy_te_schedule": T.bool(True)})
        T.realize(C[0:64, 0:64], "")
        blockIdx_x = T.launch_thread("blockIdx.x", 4)
        A_shared = T.Buffer((64, 64), scope="shared")
        T.realize(A_shared[blockIdx_x * 16:blockIdx_x * 16 + 16, 0:64], "")
        with T.launch_thread("threadIdx.x", 16) as threadIdx_x:
            for ax0_ax1_fused_inner in range(64):
                A_shared[(ax0_ax1_fused_inner + threadIdx_x * 64) // 64 + blockIdx_x * 16, (ax0_ax1_fused_inner + threadIdx_x * 64) % 64] = A[(ax0_ax1_fused_inner + threadIdx_x * 64) // 64 + blockIdx_x * 16, (ax0_ax1_fused_inner + threadIdx_x * 64) % 64]
        threadIdx_x = T.launch_thread("threadIdx.x", 16)
        C_local = T.Buffer((64, 64), scope="local")
        T.realize(C_local[blockIdx_x * 16 + threadIdx_x:blockIdx_x * 16 + threadIdx_x + 1, 0:64], "")
        for j_c in range(64):
            C_local[blockIdx_x * 16 + threadIdx_x, j_c] = T.float32(0)
            for k in range(64):
                C_local[blockIdx_x * 16 + threadIdx_x, j_c] = C_local[blockIdx_x * 16 + threadIdx_x, j_c] + A_shared[blockIdx_x * 16 + threadIdx_x, k] * B[k, j_c]
        for j in range(64):
            C[threadIdx_x + blockIdx_x * 16, j] = C_local[threadIdx_x + blockIdx_x * 16, j]

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
        T.func_attr({"from_legacy_te_schedule": T.bool(True)})
        blockIdx_x = T.launch_thread("blockIdx.x", 4)
        A_shared = T.allocate([1024], "float32", "shared")
        A_shared_1 = T.Buffer((1024,), data=A_shared, scope="shared")
        with T.launch_thread("threadIdx.x", 16) as threadIdx_x:
            for ax0_ax1_fused_inner in range(64):
                A_1 = T.Buffer((4096,), data=A.data)
                A_shared_1[threadIdx_x * 64 + ax0_ax1_fused_inner] = A_1[blockIdx_x * 1024 + threadIdx_x * 64 + ax0_ax1_fused_inner]
        threadIdx_x = T.launch_thread("threadIdx.x", 16)
        C_local = T.allocate([64], "float32", "local")
        C_local_1 = T.Buffer((64,), data=C_local, scope="local")
        for j_c in range(64):
            C_local_1[j_c] = T.float32(0)
            for k in range(64):
                B_1 = T.Buffer((4096,), data=B.data)
                C_local_1[j_c] = C_local_1[j_c] + A_shared_1[threadIdx_x * 64 + k] * B_1[k * 64 + j_c]
        for j in range(64):
            C_1 = T.Buffer((4096,), data=C.data)
            C_1[blockIdx_x * 1024 + threadIdx_x * 64 + j] = C_local_1[j]
