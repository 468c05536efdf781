@I.ir_module
class Module:
    @T.prim_func
    def nodes(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0] = T.Add(A[1], A[2])
        A[n] = T.Select(n > 1, A[1], A[2])
        A[T.Sub(n, 1)] = T.Min(A[0], A[1])
        A[T.min(n, 3)] = T.max(A[0], A[1])
        A[T.truncmod(n, 3) + T.truncdiv(n, 2) + T.floormod(n, 4) + T.floordiv(n, 4)] = 1.0
        A[T.FloorMod(n, 4)] = 2.0

    @T.prim_func
    def bits(A: T.Buffer((16,), "float32"), n: T.int32):
        A[n & 3] = 1.0
        A[n | 3] = 1.0
        A[n ^ 3] = 1.0
        A[~n] = 1.0
        A[n << 2] = 1.0
        A[n >> 2] = 1.0
        A[T.shift_left(n, 2)] = 1.0
        A[T.bitwise_and(n, 2)] = 1.0

    @T.prim_func
    def math(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0] = T.exp(A[0]) + T.sqrt(A[1]) * T.tanh(A[0]) / T.pow(A[0], 2.0) + T.fabs(A[1]) - T.floor(A[2])

    @T.prim_func
    def div(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0] = A[1] / A[2]
        A[n // 2] = A[n % 2]
        A[T.Div(n, 2)] = 1.0

    @T.prim_func
    def vec(A: T.Buffer((16,), "float32"), n: T.int32):
        A[T.Ramp(0, 1, 4)] = T.Broadcast(T.float32(1), 4)
        A[T.Ramp(0, 2, 4)] = A[T.Ramp(n, 1, 4)]
        A[n*4:n*4+4] = T.float32x4(1)
        A[n:n+8:2] = T.exp(A[n:n+4])

    @T.prim_func
    def misc(A: T.Buffer((16,), "float32"), n: T.int32):
        T.evaluate(T.tvm_thread_invariant(n > 1))
        T.assume(n > 1)
        T.likely(n > 2)
        A[0] = T.reinterpret('float32', n)
        A[1] = T.if_then_else(n > 1, A[0], 2.0)
        A[n] = T.infinity('float32')
        A[n] = T.min_value('float32')
        T.evaluate(T.address_of(A[0]))
        T.evaluate(T.isnan(A[0]))

    @T.prim_func
    def undef(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0] = T.undef()
        T.evaluate(T.undef())

    @T.prim_func
    def string_arg(A: T.Buffer((16,), "float32"), n: T.int32):
        T.evaluate('abc')


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def bits(A: T.Buffer((16,), "float32"), n: T.int32):
        A[T.bitwise_and(n, 3)] = T.float32(1)
        A[T.bitwise_or(n, 3)] = T.float32(1)
        A[T.bitwise_xor(n, 3)] = T.float32(1)
        A[T.bitwise_not(n)] = T.float32(1)
        A[T.shift_left(n, 2)] = T.float32(1)
        A[T.shift_right(n, 2)] = T.float32(1)
        A[T.shift_left(n, 2)] = T.float32(1)
        A[T.bitwise_and(n, 2)] = T.float32(1)

    @T.prim_func
    def div(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0] = A[1] / A[2]
        A[n // 2] = A[n % 2]
        A[T.Div(n, 2)] = T.float32(1)

    @T.prim_func
    def math(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0] = T.exp(A[0]) + T.sqrt(A[1]) * T.tanh(A[0]) / T.pow(A[0], T.float32(2)) + T.fabs(A[1]) - T.floor(A[2])

    @T.prim_func
    def misc(A: T.Buffer((16,), "float32"), n: T.int32):
        T.tvm_thread_invariant(n > 1)
        T.assume(n > 1)
        T.likely(n > 2)
        A[0] = T.reinterpret("float32", n)
        A[1] = T.if_then_else(n > 1, A[0], T.float32(2))
        A[n] = T.float32("inf")
        A[n] = T.float32(-3.4028234663852886e+38)
        T.address_of(A[0])
        T.isnan(A[0])

    @T.prim_func
    def nodes(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0] = A[1] + A[2]
        A[n] = T.Select(n > 1, A[1], A[2])
        A[n - 1] = T.min(A[0], A[1])
        A[T.min(n, 3)] = T.max(A[0], A[1])
        A[T.truncmod(n, 3) + T.Div(n, 2) + n % 4 + n // 4] = T.float32(1)
        A[n % 4] = T.float32(2)

    @T.prim_func
    def string_arg(A: T.Buffer((16,), "float32"), n: T.int32):
        T.evaluate("abc")

    @T.prim_func
    def undef(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0] = T.Cast("float32", T.undef())
        T.undef()

    @T.prim_func
    def vec(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0:4] = T.Broadcast(T.float32(1), 4)
        A[0:8:2] = A[n:n + 4]
        A[n * 4:n * 4 + 4] = T.Broadcast(T.float32(1), 4)
        A[n:n + 8:2] = T.exp(A[n:n + 4])
