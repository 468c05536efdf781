# pass: relax.CallTIRRewrite
# differs from TVM: it takes a variable that holds the arguments for one of them
# A variable holds the arguments; results lie on the devices that they name.
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0, "global"), I.vdevice("cuda", 0, "shared")]})
    @T.prim_func(private=True)
    def add(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32"), C: T.Buffer((T.int64(4),), "float32")):
        for i in range(4):
            with T.block("c"):
                vi = T.axis.spatial(4, i)
                C[vi] = A[vi] + B[vi]

    @R.function
    def main(x: R.Tensor((4,), "float32"), p: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
        R.func_attr({"relax.force_pure": 1})
        cls = Module
        a = R.call_tir(cls.add, p, R.Tensor((4,), "float32"))
        b = R.call_tir(cls.add, (x, a), R.Tensor((4,), "float32", "llvm"))
        c = R.call_tir(cls.add, (x, b), R.Tensor((4,), "float32", "cuda:0"))
        d = R.call_tir(cls.add, (c, x), R.Tensor((4,), "float32", "cuda:1"))
        return d

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "tag": ""}, 0, "global"), I.vdevice({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 0, "global"), I.vdevice({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 0, "shared")]})
    @T.prim_func(private=True)
    def add(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32"), C: T.Buffer((T.int64(4),), "float32")):
        # with T.block("root"):
        for i in range(4):
            with T.block("c"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi], B[vi])
                T.writes(C[vi])
                C[vi] = A[vi] + B[vi]

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), p: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"))) -> R.Tensor((4,), dtype="float32"):
        R.func_attr({"relax.force_pure": 1})
        cls = Module
        gv: R.Tensor((4,), dtype="float32") = p[0]
        gv1: R.Tensor((4,), dtype="float32") = p[1]
        alloc: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.add(gv, gv1, alloc)
        a: R.Tensor((4,), dtype="float32") = alloc
        alloc1: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.add(x, a, alloc1)
        b: R.Tensor((4,), dtype="float32") = alloc1
        alloc2: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(1), R.str("global"))
        cls.add(x, b, alloc2)
        c: R.Tensor((4,), dtype="float32") = alloc2
        alloc3: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(2), R.str("shared"))
        cls.add(c, x, alloc3)
        d: R.Tensor((4,), dtype="float32") = alloc3
        return d
