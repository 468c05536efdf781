# pass: relax.VMBuiltinLower
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def exp(a: T.handle, b: T.handle, n: T.int64):
        A = T.match_buffer(a, (n,))
        B = T.match_buffer(b, (n,))
        for i in range(n):
            with T.block("B"):
                vi = T.axis.spatial(n, i)
                B[vi] = T.exp(A[vi])

    @R.function
    def fn(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32"), sh: R.Shape(["z", 3])) -> R.Tensor((4,), "float32"):
        z = T.int64()
        cls = Module
        y = R.reshape(x, R.shape([2, 2]))
        a = R.shape_of(y)
        st = R.memory.alloc_storage(R.shape([16]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        al = R.memory.alloc_tensor(st, R.prim_value(0), R.shape([4]), R.dtype("float32"))
        _ = R.vm.call_tir_dyn(cls.exp, (x, al, R.shape([4])))
        _1 = R.memory.kill_tensor(al)
        _2 = R.memory.kill_storage(st)
        c = R.make_closure(cls.fn, (x,))
        d = R.invoke_closure(c, (x,), sinfo_args=(R.Tensor((4,), "float32"),))
        f = R.call_builtin_with_ctx("vm.builtin.foo", (x, R.prim_value(3)), sinfo_args=(R.Tensor((4,), "float32"),))
        return f

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def exp(a: T.handle, b: T.handle, n: T.int64):
        A = T.match_buffer(a, (n,))
        B = T.match_buffer(b, (n,))
        # with T.block("root"):
        for i in range(n):
            with T.block("B"):
                vi = T.axis.spatial(n, i)
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = T.exp(A[vi])

    @R.function
    def fn(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        return x

    @R.function(pure=False)
    def main(x: R.Tensor((4,), dtype="float32"), sh: R.Shape(["z", 3])) -> R.Tensor((4,), dtype="float32"):
        z = T.int64()
        cls = Module
        y: R.Tensor((2, 2), dtype="float32") = R.call_packed("vm.builtin.reshape", x, R.shape([2, 2]), sinfo_args=(R.Tensor((2, 2), dtype="float32"),))
        a: R.Shape([2, 2]) = R.call_packed("vm.builtin.shape_of", y, sinfo_args=(R.Shape([2, 2]),))
        st: R.Object = R.vm.alloc_storage(R.shape([16]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        al: R.Tensor((4,), dtype="float32") = R.vm.alloc_tensor(st, R.prim_value(0), R.shape([4]), R.dtype("float32"))
        R.call_packed("vm.builtin.call_tir_dyn", cls.exp, x, al, R.shape([4]), sinfo_args=(R.Tuple,))
        R.vm.kill_object(al)
        R.vm.kill_object(st)
        c: R.Object = R.call_packed("vm.builtin.make_closure", cls.fn, x, sinfo_args=(R.Object,))
        d: R.Object = R.call_builtin_with_ctx("vm.builtin.invoke_closure", (c, x), sinfo_args=(R.Object,))
        f: R.Tensor((4,), dtype="float32") = R.call_builtin_with_ctx("vm.builtin.foo", (x, R.prim_value(3)), sinfo_args=(R.Tensor((4,), dtype="float32"),))
        return f
