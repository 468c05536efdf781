# from tvm.script import tir as T

@T.prim_func(private=True)
def main(n: T.int32):
    for i in range(16):
        T.evaluate(i)
    for i in range(2, 16):
        T.evaluate(i)
    for i in T.serial(16, annotations={"k": 1}):
        T.evaluate(i)
    for i in T.serial(1, 16, annotations={"a": "s", "k": 1}):
        T.evaluate(i)
    for i in T.parallel(16):
        T.evaluate(i)
    for i in T.parallel(2, 16):
        T.evaluate(i)
    for i in T.vectorized(16):
        T.evaluate(i)
    for i in T.unroll(16):
        T.evaluate(i)
    for i in T.unroll(n, n + 4):
        T.evaluate(i)
    for i in range(n):
        for j in range(i):
            T.evaluate(j)
    for i, j in T.grid(n, 4):
        T.evaluate(i + j)
    for i, j in T.grid(n, 4):
        for k in T.vectorized(4):
            T.evaluate(i + j + k)
    for i in range(T.int64(16)):
        T.evaluate(i)
    for i, j, k in T.grid(T.int64(16), T.int64(2), 3):
        T.evaluate(i)
    for i in range(T.int64(2), T.int64(16)):
        T.evaluate(i)
    for i in T.thread_binding(16, thread="blockIdx.x"):
        for j in T.thread_binding(32, thread="threadIdx.x"):
            T.evaluate(i + j)
    for i in T.thread_binding(16, thread="vthread.x", annotations={"k": 1}):
        T.evaluate(i)
    for i in range(n):
        T.evaluate(i)
        for j in range(n):
            T.evaluate(j)
