# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32):
    if x < 1:
        T.evaluate(1)
    if x < 1:
        T.evaluate(1)
        T.evaluate(2)
    else:
        T.evaluate(3)
    if x < 1:
        T.evaluate(1)
    else:
        if x < 2:
            T.evaluate(2)
        else:
            if x < 3:
                T.evaluate(3)
            else:
                T.evaluate(4)
    if x < 1:
        if x < 2:
            T.evaluate(2)
    else:
        T.evaluate(3)
    if x < 5:
        T.evaluate(1)
    else:
        T.evaluate(2)
    while x < 10:
        T.evaluate(x)
        while x < 5:
            T.evaluate(x)
