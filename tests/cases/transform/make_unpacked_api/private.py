# pass: tir.MakeUnpackedAPI
# values: not compared: the parameters are others
@T.prim_func(private=True)
def main(A: T.Buffer((1,), "float32")):
    T.func_attr({"target": T.target("cuda", host="llvm")})
    A[0] = T.float32(0)

# after
# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((1,), "float32")):
    T.func_attr({"target": T.target({"host": {"keys": ["cpu"], "kind": "llvm", "tag": ""}, "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32})})
    A[0] = T.float32(0)
