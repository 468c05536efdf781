# from tvm.script import tir as T

@T.prim_func(private=True)
def main():
    data = T.handle("float32", "global")  # tvmscript: data is undefined here
    for i in range(4):
        A = T.Buffer((16,), data=data)
        A[0] = T.float32(1)
    for i in range(4):
        B = T.Buffer((16,), data=data)
        B[0] = T.float32(1)
