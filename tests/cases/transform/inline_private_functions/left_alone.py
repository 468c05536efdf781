# pass: tir.InlinePrivateFunctions
# values: not compared: the interpreter draws no addresses
# a function that is seen from outside, one that calls itself, one whose value is used, one of another target
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "int32")):
        T.func_attr({"target": T.target("c")})
        Module.public(A.data)
        Module.recursive(A.data, 3)
        A[1] = Module.value(4)
        Module.other(A.data)

    @T.prim_func
    def public(a: T.handle("int32")):
        A = T.decl_buffer((16,), "int32", data=a)
        A[0] = 1

    @T.prim_func(private=True)
    def recursive(a: T.handle("int32"), n: T.int32):
        A = T.decl_buffer((16,), "int32", data=a)
        A[n] = 2
        if n > 0:
            Module.recursive(a, n - 1)

    @T.prim_func(private=True)
    def value(n: T.int32) -> T.int32:
        T.ret(n + 1)

    @T.prim_func(private=True)
    def other(a: T.handle("int32")):
        T.func_attr({"target": T.target("metal")})
        A = T.decl_buffer((16,), "int32", data=a)
        A[5] = 3

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def other(A: T.handle("int32", "global")):
        T.func_attr({"target": T.target({"keys": ["metal", "gpu"], "kind": "metal", "max_function_args": 31, "max_num_threads": 256, "max_shared_memory_per_block": 32768, "max_threads_per_block": 256, "tag": "", "thread_warp_size": 16})})
        A_1 = T.decl_buffer((16,), "int32", data=A)
        A_1[5] = 3

    @T.prim_func
    def public(A: T.handle("int32", "global")):
        A_1 = T.decl_buffer((16,), "int32", data=A)
        A_1[0] = 1

    @T.prim_func(private=True)
    def recursive(A: T.handle("int32", "global"), n: T.int32):
        A_1 = T.decl_buffer((16,), "int32", data=A)
        A_1[n] = 2
        if n > 0:
            Module.recursive(A, n - 1)

    @T.prim_func(private=True)
    def value(n: T.int32) -> T.int32:
        return n + 1

    @T.prim_func
    def main(A: T.Buffer((16,), "int32")):
        T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
        Module.public(A.data)
        Module.recursive(A.data, 3)
        A[1] = Module.value(4)
        Module.other(A.data)
