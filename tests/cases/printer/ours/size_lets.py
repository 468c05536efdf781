# from tvm.script import tir as T

@T.prim_func(private=True)
def main():
    n = T.int32(is_size_var=True)
    with T.LetStmt(1, var=n):
        T.evaluate(n)
