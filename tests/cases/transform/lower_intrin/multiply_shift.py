# pass: tir.LowerIntrin
@T.prim_func
def main(B: T.Buffer((16,), "int32")):
    T.func_attr({"target": T.target("c")})
    for i in range(16):
        B[i] = T.q_multiply_shift(B[i], 1073741824, 31, 3)
        B[i] = T.q_multiply_shift(B[i], 1073741824, 31, -1)
        B[i] = T.q_multiply_shift(B[i], 1073741825, 31, 3)
        B[i] = T.q_multiply_shift_per_axis(B[i], B[0], 1, 2, 31, T.bool(True), T.bool(True))

# after
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((16,), "int32")):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    for i in range(16):
        B[i] = T.shift_left(B[i], 2)
        B[i] = T.shift_right(B[i] + 2, 2)
        B[i] = T.Cast("int32", T.shift_right(T.Select(T.NE(3, 0), T.shift_left(T.Cast("int64", B[i]), T.Cast("int64", 3)), T.Cast("int64", B[i])) * T.int64(1073741825) + T.shift_left(T.int64(1), T.Cast("int64", T.Add(0, 31) - 1)), T.Cast("int64", T.Add(0, 31))))
        B[i] = T.Cast("int32", T.shift_right(T.shift_left(T.Cast("int64", B[i]), T.int64(1)) * T.Cast("int64", B[0]) + T.int64(4294967296), T.int64(33)))
