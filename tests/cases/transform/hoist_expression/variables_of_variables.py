# pass: tir.HoistExpression(hoisted_let_bindings=1)
# A condition needs the variables that its variables are computed from.
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        for j in range(8):
            x: T.int32 = i * n
            y: T.int32 = x + 1
            z: T.int32 = j + n
            if y < 3:
                A[i * 8 + j] = z

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        if i * n < 2:
            for j in range(8):
                A[i * 8 + j] = j + n
