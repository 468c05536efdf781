# pass: tir.InstallDebugSpans
# differs from TVM: it takes modules with one host function alone
@T.prim_func
def main(A: T.Buffer((128,), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    for i in range(4):
        A[i] = T.float32(n)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    for i in range(4):
        A[i] = T.Cast("float32", n)
