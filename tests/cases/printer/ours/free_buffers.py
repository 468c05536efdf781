# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((16,), "float32")):
    B = T.Buffer((16,))  # tvmscript: B is undefined here
    B[0] = A[0]
    T.evaluate(B.data)
