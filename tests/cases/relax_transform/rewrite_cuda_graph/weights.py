# pass: relax.RewriteCUDAGraph(use_cuda_graph=True)
# Weights, tuples and packed functions are part of a region.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def exp(A: T.Buffer((2, 4), "float32"), B: T.Buffer((2, 4), "float32")):
        for i, j in T.grid(2, 4):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = T.exp(A[vi, vj])
    @R.function
    def main(x: R.Tensor((2, 4), "float32"), w: R.Tensor((2, 4), "float32")) -> R.Tensor((2, 4), "float32"):
        R.func_attr({"relax.force_pure": 1, "num_input": 1})
        cls = Module
        s1 = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a1 = R.memory.alloc_tensor(s1, R.prim_value(0), R.shape([2, 4]), R.dtype("float32"))
        _ = cls.exp(w, a1)
        s2 = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a2 = R.memory.alloc_tensor(s2, R.prim_value(0), R.shape([2, 4]), R.dtype("float32"))
        _1 = cls.exp(a1, a2)
        r = R.call_packed("f", a2, sinfo_args=R.Object)
        s3 = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a3 = R.memory.alloc_tensor(s3, R.prim_value(0), R.shape([2, 4]), R.dtype("float32"))
        t = (a1, a2)
        u = t[0]
        _3 = cls.exp(u, a3)
        s4 = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a4 = R.memory.alloc_tensor(s4, R.prim_value(0), R.shape([2, 4]), R.dtype("float32"))
        _4 = cls.exp(a3, a4)
        v = R.reshape(a4, R.shape([8]))
        o = R.builtin.alloc_tensor(R.shape([2, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _5 = cls.exp(a4, o)
        return o

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
    def cuda_graph_alloc() -> R.Tuple(R.Object, R.Object, R.Object, R.Object):
        R.func_attr({"relax.force_pure": 1})
        s1: R.Object = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        s2: R.Object = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        s3: R.Object = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        s4: R.Object = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        gv: R.Tuple(R.Object, R.Object, R.Object, R.Object) = s1, s2, s3, s4
        return gv

    @R.function(private=True)
    def main_cuda_graph_capture(w: R.Tensor((2, 4), dtype="float32"), a1: R.Tensor((2, 4), dtype="float32"), s2: R.Object, s3: R.Object, s4: R.Object) -> R.Tuple(R.Tensor((2, 4), dtype="float32")):
        R.func_attr({"relax.force_pure": 1})
        cls = Module
        cls.exp(w, a1)
        a2: R.Tensor((2, 4), dtype="float32") = R.memory.alloc_tensor(s2, R.prim_value(0), R.shape([2, 4]), R.dtype("float32"))
        cls.exp(a1, a2)
        r: R.Object = R.call_packed("f", a2, sinfo_args=(R.Object,))
        a3: R.Tensor((2, 4), dtype="float32") = R.memory.alloc_tensor(s3, R.prim_value(0), R.shape([2, 4]), R.dtype("float32"))
        t: R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32")) = a1, a2
        u: R.Tensor((2, 4), dtype="float32") = t[0]
        cls.exp(u, a3)
        a4: R.Tensor((2, 4), dtype="float32") = R.memory.alloc_tensor(s4, R.prim_value(0), R.shape([2, 4]), R.dtype("float32"))
        cls.exp(a3, a4)
        v: R.Tensor((8,), dtype="float32") = R.reshape(a4, R.shape([8]))
        gv: R.Tuple(R.Tensor((2, 4), dtype="float32")) = (a4,)
        return gv

    @R.function
    def main(x: R.Tensor((2, 4), dtype="float32"), w: R.Tensor((2, 4), dtype="float32")) -> R.Tensor((2, 4), dtype="float32"):
        R.func_attr({"num_input": 1, "relax.force_pure": 1})
        cls = Module
        gv: R.Tuple(R.Object, R.Object, R.Object, R.Object) = R.call_builtin_with_ctx("vm.builtin.cuda_graph.get_cached_alloc", (cls.cuda_graph_alloc, R.prim_value(0)), sinfo_args=(R.Tuple(R.Object, R.Object, R.Object, R.Object),))
        s1: R.Object = gv[0]
        a1: R.Tensor((2, 4), dtype="float32") = R.memory.alloc_tensor(s1, R.prim_value(0), R.shape([2, 4]), R.dtype("float32"))
        s2: R.Object = gv[1]
        s3: R.Object = gv[2]
        s4: R.Object = gv[3]
        gv1: R.Tuple(R.Tensor((2, 4), dtype="float32")) = R.call_builtin_with_ctx("vm.builtin.cuda_graph.run_or_capture", (cls.main_cuda_graph_capture, (w, a1, s2, s3, s4), R.prim_value(0)), sinfo_args=(R.Tuple(R.Tensor((2, 4), dtype="float32")),))
        a4: R.Tensor((2, 4), dtype="float32") = gv1[0]
        o: R.Tensor((2, 4), dtype="float32") = R.builtin.alloc_tensor(R.shape([2, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.exp(a4, o)
        return o
