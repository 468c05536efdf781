@I.ir_module
class Module:
    @T.prim_func
    def sizevar(a: T.handle):
        n = T.SizeVar("num_tokens", "int64")
        A = T.match_buffer(a, (n,), "float32")
        for i in T.serial(n):
            A[i] = 0.0

    @T.prim_func
    def sizevar2(a: T.handle):
        n = T.Var("num_tokens", "int64")
        A = T.match_buffer(a, (n,), "float32")
        for i in T.serial(n):
            A[i] = 0.0

    @T.prim_func
    def both(a: T.handle, b: T.handle):
        n = T.SizeVar("length", "int32")
        m = T.Var("width", "int32")
        A = T.match_buffer(a, (n, m), "float32")
        B = T.match_buffer(b, (n * m,), "float32")
        for i, j in T.grid(n, m):
            k = i
            A[i, j] = B[k * m + j]


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def both(a: T.handle, b: T.handle):
        n, m = T.int32(is_size_var=True), T.int32()
        A = T.match_buffer(a, (n, m))
        B = T.match_buffer(b, (n * m,))
        for i, j in T.grid(n, m):
            k: T.int32 = i
            A[i, j] = B[k * m + j]

    @T.prim_func
    def sizevar(a: T.handle):
        n = T.int64(is_size_var=True)
        A = T.match_buffer(a, (n,))
        for i in range(n):
            A[i] = T.float32(0)

    @T.prim_func
    def sizevar2(a: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n,))
        for i in range(n):
            A[i] = T.float32(0)
