@I.ir_module
class Module:
    @T.prim_func
    def attr(A: T.Buffer((16,), "float32"), n: T.int32):
        T.attr('x', 'key', 1)
        A[0] = 1.0

    @T.prim_func
    def attr_with(A: T.Buffer((16,), "float32"), n: T.int32):
        with T.attr(A.data, 'key', 'val'):
            A[0] = 1.0

    @T.prim_func
    def attr_int(A: T.Buffer((16,), "float32"), n: T.int32):
        with T.attr(0, 'key', n):
            A[0] = 1.0

    @T.prim_func
    def with_two(A: T.Buffer((16,), "float32"), n: T.int32):
        with T.attr(0, 'a', 1), T.attr(0, 'b', 2):
            A[0] = 1.0

    @T.prim_func
    def of_function(A: T.Buffer((16,), "float32")):
        T.func_attr({"a": 1})
        T.func_attr({"b": 2, "c": 3})
        A[0] = 1.0

    @R.function
    def of_graph(x: R.Tensor((16,), "float32")) -> R.Tensor((16,), "float32"):
        R.func_attr({"a": 1})
        R.func_attr({"b": 2})
        return x


# output
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func
    def attr(A: T.Buffer((16,), "float32"), n: T.int32):
        T.attr("x", "key", 1)
        A[0] = T.float32(1)

    @T.prim_func
    def attr_int(A: T.Buffer((16,), "float32"), n: T.int32):
        T.attr(0, "key", n)
        A[0] = T.float32(1)

    @T.prim_func
    def attr_with(A: T.Buffer((16,), "float32"), n: T.int32):
        T.attr(A.data, "key", "val")
        A[0] = T.float32(1)

    @T.prim_func
    def of_function(A: T.Buffer((16,), "float32")):
        T.func_attr({"a": 1, "b": 2, "c": 3})
        A[0] = T.float32(1)

    @T.prim_func
    def with_two(A: T.Buffer((16,), "float32"), n: T.int32):
        T.attr(0, "a", 1)
        T.attr(0, "b", 2)
        A[0] = T.float32(1)

    @R.function
    def of_graph(x: R.Tensor((16,), dtype="float32")) -> R.Tensor((16,), dtype="float32"):
        R.func_attr({"a": 1, "b": 2})
        return x
