# from tvm.script import tir as T

@T.prim_func(private=True)
def main():
    n = T.int32()
    for i in range(n):
        T.evaluate(i)
    m = T.int32()
    while m < 3:
        T.evaluate(m)
