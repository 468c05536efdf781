# from tvm.script import tir as T

@T.prim_func(private=True)
def main(n: T.int32):
    for i, i_1 in T.grid(2, 3):
        for i_2 in T.parallel(4):
            T.evaluate(i + i_1 + i_2)
    for i, j in T.grid(2, 3):
        T.evaluate(i)
    x: T.int32 = n
    x_1: T.int32 = x
    with T.LetStmt(x_1) as x_2:
        T.evaluate(x_2)
    T.evaluate(x)
