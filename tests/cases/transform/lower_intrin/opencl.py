# pass: tir.LowerIntrin
# differs from TVM: it refuses shuffles of half a warp
# values: not compared: one thread has nobody to exchange values with
@T.prim_func
def main(A: T.Buffer((32,), "float32"), H: T.Buffer((32,), "float16"), D: T.Buffer((32,), "float64"), I: T.Buffer((32,), "int32"), n: T.int32):
    T.func_attr({"target": T.target("opencl")})
    tx = T.launch_thread("threadIdx.x", 32)
    A[tx] = T.tvm_warp_shuffle(T.tvm_warp_activemask(), A[tx], n, 32, 32)
    A[tx] = T.tvm_warp_shuffle_up(T.tvm_warp_activemask(), A[tx], 3, 16, 32)
    A[tx] = T.tvm_warp_shuffle_down(T.tvm_warp_activemask(), A[tx], 3, 16, 32)
    I[tx] = T.tvm_warp_shuffle(T.tvm_warp_activemask(), I[tx], n, 16, 32)
    D[tx] = T.tvm_warp_shuffle(T.tvm_warp_activemask(), D[tx], n, 32, 32)
    A[tx] = T.exp(A[tx]) * A[0] + T.atan2(A[tx], A[0])
    A[tx] = T.erf(A[tx]) + T.tanh(A[tx])
    H[tx] = T.erf(H[tx]) + T.fabs(H[tx]) + T.atan(H[tx])
    D[tx] = T.sqrt(T.fabs(D[tx])) + T.ldexp(D[tx], 3) + T.fmod(D[tx], D[0])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((32,), "float32"), H: T.Buffer((32,), "float16"), D: T.Buffer((32,), "float64"), I_1: T.Buffer((32,), "int32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["opencl", "gpu"], "kind": "opencl", "max_function_args": 128, "max_num_threads": 256, "max_shared_memory_per_block": 16384, "max_threads_per_block": 256, "tag": "", "texture_spatial_limit": 16384, "thread_warp_size": 1})})
    tx = T.launch_thread("threadIdx.x", 32)
    A[tx] = T.call_pure_extern("float32", "intel_sub_group_shuffle", A[tx], n)
    A[tx] = T.tvm_warp_shuffle_up(T.tvm_warp_activemask(), A[tx], 3, 16, 32)
    A[tx] = T.tvm_warp_shuffle_down(T.tvm_warp_activemask(), A[tx], 3, 16, 32)
    I_1[tx] = T.tvm_warp_shuffle(T.tvm_warp_activemask(), I_1[tx], n, 16, 32)
    D[tx] = T.call_pure_extern("float64", "intel_sub_group_shuffle", D[tx], n)
    A[tx] = T.call_pure_extern("float32", "exp", A[tx]) * A[0] + T.call_pure_extern("float32", "atan2f", A[tx], A[0])
    A[tx] = T.call_pure_extern("float32", "erf", A[tx]) + T.call_pure_extern("float32", "tanh", A[tx])
    H[tx] = T.call_pure_extern("float16", "erf", H[tx]) + T.call_pure_extern("float16", "fabs", H[tx]) + T.atan(H[tx])
    D[tx] = T.call_pure_extern("float64", "sqrt", T.call_pure_extern("float64", "fabs", D[tx])) + T.call_pure_extern("float64", "ldexp", D[tx], 3) + T.call_pure_extern("float64", "fmod", D[tx], D[0])
