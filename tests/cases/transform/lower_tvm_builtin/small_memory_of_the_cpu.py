# pass: tir.LowerTVMBuiltin
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    B = T.allocate([16], "float32", "global")
    B1 = T.Buffer((16,), data=B)
    B1[0] = A[0, 0]
    A[0, 0] = B1[0] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    B1 = T.allocate([16], "float32", "global")
    B1_1 = T.Buffer((16,), data=B1)
    B1_1[0] = A[0, 0]
    A[0, 0] = B1_1[0] + T.float32(1)
