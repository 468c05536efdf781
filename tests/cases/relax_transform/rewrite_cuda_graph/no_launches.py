# pass: relax.RewriteCUDAGraph(use_cuda_graph=True)
# The tensor of the result keeps its storage.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def exp(A: T.Buffer((2, 4), "float32"), B: T.Buffer((2, 4), "float32")):
        for i, j in T.grid(2, 4):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = T.exp(A[vi, vj])
    @R.function
    def main(x: R.Tensor((2, 4), "float32")) -> R.Tensor((2, 4), "float32"):
        R.func_attr({"relax.force_pure": 1})
        cls = Module
        s1 = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a1 = R.memory.alloc_tensor(s1, R.prim_value(0), R.shape([2, 4]), R.dtype("float32"))
        _ = cls.exp(x, a1)
        s2 = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a2 = R.memory.alloc_tensor(s2, R.prim_value(0), R.shape([2, 4]), R.dtype("float32"))
        _1 = cls.exp(a1, a2)
        return a2

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def exp(A: T.Buffer((2, 4), "float32"), B: T.Buffer((2, 4), "float32")):
        # with T.block("root"):
        for i, j in T.grid(2, 4):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = T.exp(A[vi, vj])

    @R.function(private=True)
    def cuda_graph_alloc() -> R.Tuple(R.Object):
        R.func_attr({"relax.force_pure": 1})
        s1: R.Object = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        gv: R.Tuple(R.Object) = (s1,)
        return gv

    @R.function
    def main(x: R.Tensor((2, 4), dtype="float32")) -> R.Tensor((2, 4), dtype="float32"):
        R.func_attr({"relax.force_pure": 1})
        cls = Module
        gv: R.Tuple(R.Object) = R.call_builtin_with_ctx("vm.builtin.cuda_graph.get_cached_alloc", (cls.cuda_graph_alloc, R.prim_value(0)), sinfo_args=(R.Tuple(R.Object),))
        s1: R.Object = gv[0]
        a1: R.Tensor((2, 4), dtype="float32") = R.memory.alloc_tensor(s1, R.prim_value(0), R.shape([2, 4]), R.dtype("float32"))
        cls.exp(x, a1)
        s2: R.Object = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a2: R.Tensor((2, 4), dtype="float32") = R.memory.alloc_tensor(s2, R.prim_value(0), R.shape([2, 4]), R.dtype("float32"))
        cls.exp(a1, a2)
        return a2
