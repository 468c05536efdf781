# pass: tir.BindTarget("c")
@T.prim_func
def main(A: T.Buffer((1,), "float32")):
    A[0] = T.float32(0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((1,), "float32")):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    A[0] = T.float32(0)
