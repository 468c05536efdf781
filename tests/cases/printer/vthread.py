# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32, A: T.Buffer((16,), "float32")):
    with T.launch_thread("vthread", 4) as v:
        A[v] = T.float32(1)
    with T.attr(T.iter_var(x, T.Range(0, 16), "DataPar", ""), "pragma", 1):
        T.evaluate(0)
    T.attr(T.iter_var(x, None, "ThreadIndex", "threadIdx.x"), "pragma", 1)
    T.evaluate(0)
