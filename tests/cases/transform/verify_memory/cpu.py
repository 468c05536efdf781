# pass: tir.VerifyMemory
# A CPU accesses its memory itself.
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    T.func_attr({"target": T.target("llvm")})
    A[0] = 1.0

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "llvm", "tag": ""})})
    A[0] = T.float32(1)
