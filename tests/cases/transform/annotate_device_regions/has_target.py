# pass: tir.AnnotateDeviceRegions
@T.prim_func
def main(A: T.Buffer((128,), "float32"), n: T.int32):
    T.func_attr({"target": T.target("cuda", host="llvm")})
    with T.attr(T.target("cuda"), "target", 0):
        bx = T.launch_thread("blockIdx.x", 8)
        tx = T.launch_thread("threadIdx.x", 16)
        A[bx * 16 + tx] = T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"host": {"keys": ["cpu"], "kind": "llvm", "tag": ""}, "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    T.attr(T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}), "target", 0)
    bx = T.launch_thread("blockIdx.x", 8)
    tx = T.launch_thread("threadIdx.x", 16)
    A[bx * 16 + tx] = T.float32(1)
