# pass: tir.ConvertSSA
@T.prim_func
def main(A: T.Buffer((128,), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    for i in range(4):
        x: T.float32 = A[i]
        A[i] = x + T.float32(n)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    for i in range(4):
        x: T.float32 = A[i]
        A[i] = x + T.Cast("float32", n)
