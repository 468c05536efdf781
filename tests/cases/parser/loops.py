@I.ir_module
class Module:
    @T.prim_func
    def serial2(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(n, n + 4):
            A[i] = 1.0

    @T.prim_func
    def serial3(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in T.serial(T.int64(4)):
            A[i] = 1.0

    @T.prim_func
    def gridone(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in T.grid(4, 4):
            A[i[0]] = 1.0

    @T.prim_func
    def shadow_loop(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(4):
            for i in range(5):
                A[i] = 1.0

    @T.prim_func
    def loops(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in T.serial(4, annotations={'a': 1, 'b': 'x'}):
            for j in T.parallel(1, 5):
                for k in T.vectorized(8):
                    for l in T.unroll(n):
                        A[i + j + k + l] = 1.0

    @T.prim_func
    def thread(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in T.thread_binding(4, thread='threadIdx.x'):
            for j in T.thread_binding(0, 4, 'blockIdx.x', annotations={'a': T.float32(1)}):
                A[i + j] = 1.0

    @T.prim_func
    def whil(A: T.Buffer((16,), "float32"), n: T.int32):
        while n > 1:
            A[0] = 1.0

    @T.prim_func
    def While(A: T.Buffer((16,), "float32"), n: T.int32):
        with T.While(n > 1):
            A[0] = 1.0


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def While(A: T.Buffer((16,), "float32"), n: T.int32):
        while n > 1:
            A[0] = T.float32(1)

    @T.prim_func
    def gridone(A: T.Buffer((16,), "float32"), n: T.int32):
        for i_0, i_1 in T.grid(4, 4):
            A[i_0] = T.float32(1)

    @T.prim_func
    def loops(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in T.serial(4, annotations={"a": 1, "b": "x"}):
            for j in T.parallel(1, 5):
                for k in T.vectorized(8):
                    for l in T.unroll(n):
                        A[i + j + k + l] = T.float32(1)

    @T.prim_func
    def serial2(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(n, n + 4):
            A[i] = T.float32(1)

    @T.prim_func
    def serial3(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(T.int64(4)):
            A[i] = T.float32(1)

    @T.prim_func
    def shadow_loop(A: T.Buffer((16,), "float32"), n: T.int32):
        for i, i_1 in T.grid(4, 5):
            A[i_1] = T.float32(1)

    @T.prim_func
    def thread(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in T.thread_binding(4, thread="threadIdx.x"):
            for j in T.thread_binding(4, thread="blockIdx.x", annotations={"a": T.float32(1)}):
                A[i + j] = T.float32(1)

    @T.prim_func
    def whil(A: T.Buffer((16,), "float32"), n: T.int32):
        while n > 1:
            A[0] = T.float32(1)
