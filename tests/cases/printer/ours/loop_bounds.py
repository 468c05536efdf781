# from tvm.script import tir as T

@T.prim_func(private=True)
def main():
    n = T.int32()  # tvmscript: n is undefined here
    for i in range(n):
        T.evaluate(i)
    m = T.int32()  # tvmscript: m is undefined here
    while m < 3:
        T.evaluate(m)
