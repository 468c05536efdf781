# pass: tir.AnnotateDeviceRegions
@T.prim_func
def main(A: T.Buffer((128,), "float32"), n: T.int32):
    T.func_attr({"target": T.target("cuda", host="llvm")})
    with T.attr(0, "device_scope", 1):
        A[0] = T.float32(1)
    with T.attr(0, "pipeline_exec_scope", 1):
        A[1] = T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"host": {"keys": ["cpu"], "kind": "llvm", "tag": ""}, "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    with T.attr(T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}), "target", 0):
        T.attr(0, "device_scope", 1)
        A[0] = T.float32(1)
    T.attr(T.target({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}), "target", 0)
    T.attr(0, "pipeline_exec_scope", 1)
    A[1] = T.float32(1)
