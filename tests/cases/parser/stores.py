@I.ir_module
class Module:
    @T.prim_func
    def aug(A: T.Buffer((16,), "float32"), n: T.int32):
        A[n] += 1
        A[n] *= 2

    @T.prim_func
    def store_int(A: T.Buffer((16,), "float32"), n: T.int32):
        A[n] = 1
        A[n] = n
        A[n] = T.float64(1.5)

    @T.prim_func
    def storevec(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0:4] = A[4:8]

    @T.prim_func
    def storevec_2(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0:4] = A[4:8] + A[8:12]

    @T.prim_func
    def buffer_store(A: T.Buffer((16,), "float32"), n: T.int32):
        T.buffer_store(A, 1.0, [n])
        T.buffer_store(A, A[1], n)

    @T.prim_func
    def bufferload(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0] = T.BufferLoad(A, [n])

    @T.prim_func
    def evalbuf(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0]
        A[n]
        T.evaluate(A[n])

    @T.prim_func
    def neg(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0] = -A[1]
        A[n] = -1.0
        A[0] = -n


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def aug(A: T.Buffer((16,), "float32"), n: T.int32):
        A[n] = A[n] + T.float32(1)
        A[n] = A[n] * T.float32(2)

    @T.prim_func
    def buffer_store(A: T.Buffer((16,), "float32"), n: T.int32):
        A[n] = T.float32(1)
        A[n] = A[1]

    @T.prim_func
    def bufferload(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0] = A[n]

    @T.prim_func
    def evalbuf(A: T.Buffer((16,), "float32"), n: T.int32):
        T.evaluate(A[0])
        T.evaluate(A[n])
        T.evaluate(A[n])

    @T.prim_func
    def neg(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0] = A[1] * T.float32(-1)
        A[n] = T.float32(-1)
        A[0] = T.Cast("float32", n * -1)

    @T.prim_func
    def store_int(A: T.Buffer((16,), "float32"), n: T.int32):
        A[n] = T.float32(1)
        A[n] = T.Cast("float32", n)
        A[n] = T.float32(1.5)

    @T.prim_func
    def storevec(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0:4] = A[4:8]

    @T.prim_func
    def storevec_2(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0:4] = A[4:8] + A[8:12]
