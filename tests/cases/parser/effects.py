@I.ir_module
class Module:
    @T.prim_func
    def evaluate(A: T.Buffer((16,), "float32"), n: T.int32):
        T.evaluate(n)
        1
        n

    @T.prim_func
    def return_case(A: T.Buffer((16,), "float32"), n: T.int32):
        return n

    @T.prim_func
    def pass_case(A: T.Buffer((16,), "float32"), n: T.int32):
        pass

    @T.prim_func
    def ret(A: T.Buffer((16,), "float32"), n: T.int32):
        T.ret(n)
        T.evaluate(T.ret(n + 1))

    @T.prim_func
    def docstring(A: T.Buffer((16,), "float32"), n: T.int32):
        '''doc'''
        A[0] = 1.0

    @T.prim_func
    def comment_stmts(A: T.Buffer((16,), "float32"), n: T.int32):
        pass
        pass
        A[0] = 1.0

    @T.prim_func
    def tvm_struct(A: T.Buffer((16,), "float32"), n: T.int32):
        T.evaluate(T.tvm_struct_get(A.data, 0, 1, 'handle'))
        T.evaluate(T.tvm_struct_set(A.data, 0, 1, n))
        x: T.handle = T.tvm_stack_alloca('array', 1)
        T.evaluate(x)


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def comment_stmts(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0] = T.float32(1)

    @T.prim_func
    def docstring(A: T.Buffer((16,), "float32"), n: T.int32):
        A[0] = T.float32(1)

    @T.prim_func
    def evaluate(A: T.Buffer((16,), "float32"), n: T.int32):
        T.evaluate(n)
        T.evaluate(1)
        T.evaluate(n)

    @T.prim_func
    def pass_case(A: T.Buffer((16,), "float32"), n: T.int32):
        T.evaluate(0)

    @T.prim_func
    def ret(A: T.Buffer((16,), "float32"), n: T.int32):
        return n
        return n + 1

    @T.prim_func
    def return_case(A: T.Buffer((16,), "float32"), n: T.int32):
        return n

    @T.prim_func
    def tvm_struct(A: T.Buffer((16,), "float32"), n: T.int32):
        T.tvm_struct_get(A.data, 0, 1, "handle")
        T.tvm_struct_set(A.data, 0, 1, n)
        x: T.handle = T.tvm_stack_alloca("array", 1)
        T.evaluate(x)
