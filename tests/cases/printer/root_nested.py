# from tvm.script import tir as T

@T.prim_func(private=True)
def main():
    with T.block("root"):
        T.reads()
        T.writes()
        with T.block("x"):
            T.reads()
            T.writes()
            T.evaluate(0)
