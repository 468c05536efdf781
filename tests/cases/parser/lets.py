@I.ir_module
class Module:
    @T.prim_func
    def let(A: T.Buffer((16,), "float32"), n: T.int32):
        x = T.int32()
        with T.let(x, n + 1):
            A[x] = 1.0

    @T.prim_func
    def let_str(A: T.Buffer((16,), "float32"), n: T.int32):
        x = "abc"
        A[0] = 1.0

    @T.prim_func
    def let_tuple(A: T.Buffer((16,), "float32"), n: T.int32):
        x, y = n, n + 1
        A[x] = y

    @T.prim_func
    def augname2(A: T.Buffer((16,), "float32"), n: T.int32):
        x = n + 1
        for i in range(4):
            x += i
            A[x] = 1.0

    @T.prim_func
    def LetStmt(A: T.Buffer((16,), "float32"), n: T.int32):
        with T.LetStmt(n + 1) as x:
            A[x] = 1.0

    @T.prim_func
    def LetStmt2(A: T.Buffer((16,), "float32"), n: T.int32):
        x = T.LetStmt(n + 1)
        A[x] = 1.0

    @T.prim_func
    def Let_expr(A: T.Buffer((16,), "float32"), n: T.int32):
        x = T.int32()
        A[T.Let(x + 1, where={x: n})] = 1.0

    @T.prim_func
    def let_expr_2(A: T.Buffer((16,), "float32"), n: T.int32):
        x = T.int32()
        A[T.let(x, n, x + 1)] = 1.0

    @T.prim_func
    def tuple(A: T.Buffer((16,), "float32"), n: T.int32):
        x, (y, z) = n, (n + 1, n + 2)
        A[x + y + z] = 1.0

    @T.prim_func
    def names(A: T.Buffer((16,), "float32"), n: T.int32):
        x_1 = n + 1
        x = n + 2
        A[x + x_1] = 1.0

    @T.prim_func
    def augment_bool(A: T.Buffer((16,), "float32"), n: T.int32):
        x = n > 1
        if x and n < 5:
            A[0] = 1.0

    @T.prim_func
    def meta(A: T.Buffer((16,), "float32"), n: T.int32):
        x = T.meta_var(n + 1)
        A[x] = 1.0


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def LetStmt(A: T.Buffer((16,), "float32"), n: T.int32):
        x: T.int32 = n + 1
        A[x] = T.float32(1)

    @T.prim_func
    def LetStmt2(A: T.Buffer((16,), "float32"), n: T.int32):
        x: T.int32 = n + 1
        A[x] = T.float32(1)

    @T.prim_func
    def Let_expr(A: T.Buffer((16,), "float32"), n: T.int32):
        x = T.int32()
        A[T.Let(x + 1, where={x: n})] = T.float32(1)

    @T.prim_func
    def augment_bool(A: T.Buffer((16,), "float32"), n: T.int32):
        x: T.bool = n > 1
        if x and n < 5:
            A[0] = T.float32(1)

    @T.prim_func
    def augname2(A: T.Buffer((16,), "float32"), n: T.int32):
        x: T.int32 = n + 1
        for i in range(4):
            x_1: T.int32 = x + i
            A[x_1] = T.float32(1)

    @T.prim_func
    def let(A: T.Buffer((16,), "float32"), n: T.int32):
        x: T.int32 = n + 1
        A[x] = T.float32(1)

    @T.prim_func
    def let_expr_2(A: T.Buffer((16,), "float32"), n: T.int32):
        x = T.int32()
        A[T.Let(x + 1, where={x: n})] = T.float32(1)

    @T.prim_func
    def let_str(A: T.Buffer((16,), "float32"), n: T.int32):
        x: T.handle = "abc"
        A[0] = T.float32(1)

    @T.prim_func
    def let_tuple(A: T.Buffer((16,), "float32"), n: T.int32):
        x: T.int32 = n
        y: T.int32 = n + 1
        A[x] = T.Cast("float32", y)

    @T.prim_func
    def meta(A: T.Buffer((16,), "float32"), n: T.int32):
        A[n + 1] = T.float32(1)

    @T.prim_func
    def names(A: T.Buffer((16,), "float32"), n: T.int32):
        x_1: T.int32 = n + 1
        x: T.int32 = n + 2
        A[x + x_1] = T.float32(1)

    @T.prim_func
    def tuple(A: T.Buffer((16,), "float32"), n: T.int32):
        x: T.int32 = n
        y: T.int32 = n + 1
        z: T.int32 = n + 2
        A[x + y + z] = T.float32(1)
