# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32):
    # with T.block("root"):
    for i in range(4):
        T.evaluate(0)
    if x < 1:
        T.evaluate(0)
    with T.block("x"):
        T.reads()
        T.writes()
        T.evaluate(0)
