# pass: relax.StaticPlanBlockMemory
# only the returned field of a tuple keeps its own allocation
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def split(a: T.Buffer((T.int64(3),), "float32"), b: T.Buffer((T.int64(2),), "float32"), c: T.Buffer((T.int64(1),), "float32")):
        T.evaluate(0)

    @T.prim_func(private=True)
    def cos(a: T.Buffer((T.int64(2),), "float32"), b: T.Buffer((T.int64(2),), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        R.func_attr({"relax.force_pure": 1})
        cls = Module
        alloc: R.Tensor((2,), dtype="float32") = R.builtin.alloc_tensor(R.shape([2]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        alloc1: R.Tensor((1,), dtype="float32") = R.builtin.alloc_tensor(R.shape([1]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.split(x, alloc, alloc1)
        h0: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((1,), dtype="float32")) = alloc, alloc1
        h1: R.Tensor((2,), dtype="float32") = h0[0]
        alloc2: R.Tensor((2,), dtype="float32") = R.builtin.alloc_tensor(R.shape([2]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.cos(h1, alloc2)
        return h1

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def cos(a: T.Buffer((T.int64(2),), "float32"), b: T.Buffer((T.int64(2),), "float32")):
        T.evaluate(0)

    @T.prim_func(private=True)
    def split(a: T.Buffer((T.int64(3),), "float32"), b: T.Buffer((T.int64(2),), "float32"), c: T.Buffer((T.int64(1),), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        R.func_attr({"relax.force_pure": 1})
        cls = Module
        alloc: R.Tensor((2,), dtype="float32") = R.builtin.alloc_tensor(R.shape([2]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        storage: R.Object = R.memory.alloc_storage(R.shape([8]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        alloc1: R.Tensor((1,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([1]), R.dtype("float32"))
        cls.split(x, alloc, alloc1)
        h0: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((1,), dtype="float32")) = alloc, alloc1
        h1: R.Tensor((2,), dtype="float32") = h0[0]
        alloc2: R.Tensor((2,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([2]), R.dtype("float32"))
        cls.cos(h1, alloc2)
        return h1
