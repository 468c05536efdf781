# pass: tir.HoistIfThenElse
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i, j, k in T.grid(4, 4, 4):
        if i < 3:
            if j < n:
                if k < 3:
                    A[i * 16 + j * 4 + k] = 4

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(4):
        if i < 3:
            for j in range(4):
                if j < n:
                    for k in range(4):
                        if k < 3:
                            A[i * 16 + j * 4 + k] = 4
