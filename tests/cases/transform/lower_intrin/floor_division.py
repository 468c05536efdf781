# pass: tir.LowerIntrin
# by what is known: powers of two, both natural, a least dividend, a natural divisor, nothing
# values: not compared: m may be 0
@T.prim_func
def main(B: T.Buffer((128,), "int32"), n: T.int32, m: T.int32):
    T.func_attr({"target": T.target("llvm -mtriple=x86_64-unknown-linux-gnu")})
    for i in range(128):
        B[i] = n // 4 + n % 8
        B[i] = i // 3 + i % 3
        B[i] = (i - 64) // 3 + (i - 64) % 3
        B[i] = n // 3 + n % 3
        B[i] = n // m + n % m
        B[i] = T.max(n // 3, 0)
        if m > 2 and n % m == 0:
            B[i] = n // m
        B[i] = T.Select(m >= 0, n % m, 0) + T.if_then_else(n >= 0, n // 3, 0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((128,), "int32"), n: T.int32, m: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""})})
    for i in range(128):
        B[i] = T.shift_right(n, 2) + T.bitwise_and(n, 7)
        B[i] = T.Div(i, 3) + T.truncmod(i, 3)
        B[i] = T.Div(i + 2, 3) - 22 + T.truncmod(i + 2, 3)
        B[i] = T.Div(n, 3) + T.shift_right(T.truncmod(n, 3), 31) + (T.truncmod(n, 3) + T.bitwise_and(3, T.shift_right(T.truncmod(n, 3), 31)))
        rmod = T.int32()
        rdiv = T.int32()
        rmod_1 = T.int32()
        B[i] = T.Let(T.Let(T.Select(m >= 0 and rmod >= 0 or m < 0 and rmod <= 0, rdiv, rdiv - 1), where={rdiv: T.Div(n, m)}), where={rmod: T.truncmod(n, m)}) + T.Let(T.Select(m >= 0 and rmod_1 >= 0 or m < 0 and rmod_1 <= 0, rmod_1, rmod_1 + m), where={rmod_1: T.truncmod(n, m)})
        B[i] = T.max(T.Div(n, 3), 0)
        if m > 2 and T.truncmod(n, m) == 0:
            B[i] = T.Div(n, m) + T.shift_right(T.truncmod(n, m), 31)
        B[i] = T.Select(m >= 0, T.truncmod(n, m) + T.bitwise_and(m, T.shift_right(T.truncmod(n, m), 31)), 0) + T.if_then_else(n >= 0, T.Div(n, 3), 0)
