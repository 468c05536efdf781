# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((16,), "float32")):
    with T.block("root"):
        T.reads()
        T.writes()
        T.block_attr({"k": 1})
        for i in range(16):
            with T.block("x"):
                vi = T.axis.spatial(16, i)
                T.reads(A[vi])
                T.writes()
                T.evaluate(A[vi])
