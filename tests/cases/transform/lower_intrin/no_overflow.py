# pass: tir.LowerIntrin
# differs from TVM: it adds 1252698795 to the dividend, which may overflow
@T.prim_func
def main(B: T.Buffer((1,), "int32"), n: T.int32, m: T.int32):
    T.func_attr({"target": T.target("llvm -mtriple=x86_64-unknown-linux-gnu")})
    B[0] = (n // 3 + m // 4) // 5

# after
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((1,), "int32"), n: T.int32, m: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""})})
    B[0] = T.Div(T.Div(n, 3) + T.shift_right(T.truncmod(n, 3), 31) + T.shift_right(m, 2), 5) + T.shift_right(T.truncmod(T.Div(n, 3) + T.shift_right(T.truncmod(n, 3), 31) + T.shift_right(m, 2), 5), 31)
