# pass: tir.BindTarget("c")
# differs from TVM: the host is llvm for a target without one, and TVM adds the machine to it
@T.prim_func
def main(A: T.Buffer((1,), "float32")):
    T.func_attr({"tir.is_host_func": T.bool(True)})
    A[0] = T.float32(0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((1,), "float32")):
    T.func_attr({"target": T.target({"host": {"keys": ["cpu"], "kind": "llvm", "tag": ""}, "keys": ["cpu"], "kind": "llvm", "tag": ""})})
    A[0] = T.float32(0)
