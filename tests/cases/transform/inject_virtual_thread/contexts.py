# pass: tir.InjectVirtualThread
@T.prim_func
def main(n: T.int32):
    cthread = T.env_thread("cthread")
    with T.attr(T.iter_var(cthread, (0, 4), "ThreadIndex", "cthread"), "virtual_thread", 4):
        for i in range(n):
            A = T.allocate([4], "float32", "shared")
            with T.attr(0, "coproc_scope", 1):
                T.evaluate(T.call_extern("int32", "Run", T.tvm_access_ptr(T.type_annotation("float32"), A, 4 * 0, 4, 2)))
            with T.attr(0, "coproc_uop_scope", 2):
                T.evaluate(T.call_extern("int32", "Run", T.tvm_access_ptr(T.type_annotation("float32"), A, 0, 4, 1)))
            T.evaluate(T.call_extern("int32", "Run", i))

# after
# from tvm.script import tir as T

@T.prim_func
def main(n: T.int32):
    for i in range(n):
        A = T.allocate([16], "float32", "shared")
        with T.attr(0, "coproc_scope", 1):
            T.call_extern("int32", "Run", T.tvm_access_ptr(T.type_annotation("float32"), A, T.Mul(0, 4), 4, 2))
        with T.attr(0, "coproc_scope", 1):
            T.call_extern("int32", "Run", T.tvm_access_ptr(T.type_annotation("float32"), A, T.Mul(1, 4), 4, 2))
        with T.attr(0, "coproc_scope", 1):
            T.call_extern("int32", "Run", T.tvm_access_ptr(T.type_annotation("float32"), A, T.Mul(2, 4), 4, 2))
        with T.attr(0, "coproc_scope", 1):
            T.call_extern("int32", "Run", T.tvm_access_ptr(T.type_annotation("float32"), A, T.Mul(3, 4), 4, 2))
        with T.attr(0, "coproc_uop_scope", 2):
            T.call_extern("int32", "Run", T.tvm_access_ptr(T.type_annotation("float32"), A, T.Mul(0, 4), 4, 1))
        with T.attr(0, "coproc_uop_scope", 2):
            T.call_extern("int32", "Run", T.tvm_access_ptr(T.type_annotation("float32"), A, T.Mul(1, 4), 4, 1))
        with T.attr(0, "coproc_uop_scope", 2):
            T.call_extern("int32", "Run", T.tvm_access_ptr(T.type_annotation("float32"), A, T.Mul(2, 4), 4, 1))
        with T.attr(0, "coproc_uop_scope", 2):
            T.call_extern("int32", "Run", T.tvm_access_ptr(T.type_annotation("float32"), A, T.Mul(3, 4), 4, 1))
        T.call_extern("int32", "Run", i)
        T.call_extern("int32", "Run", i)
        T.call_extern("int32", "Run", i)
        T.call_extern("int32", "Run", i)
