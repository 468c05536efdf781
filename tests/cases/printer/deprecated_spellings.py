# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((16,), "float32")):
    with T.block(""):
        T.reads(A[0:16])
        T.writes()
        B = T.alloc_buffer((4,), scope="local")
        for i in range(4):
            B[i] = A[i]
