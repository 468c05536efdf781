# pass: relax.StaticPlanBlockMemory
# of free storage of one size that is too small, the last grows
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(a: T.Buffer((3,), "float32"), b: T.Buffer((3,), "float32"), c: T.Buffer((9,), "float32")):
        T.evaluate(0)

    @T.prim_func(private=True)
    def g(a: T.Buffer((3,), "float32"), b: T.Buffer((3,), "float32")):
        T.evaluate(0)

    @T.prim_func(private=True)
    def h(a: T.Buffer((3,), "float32"), b: T.Buffer((9,), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((9,), dtype="float32"):
        R.func_attr({"relax.force_pure": 1})
        cls = Module
        alloc: R.Tensor((3,), dtype="float32") = R.builtin.alloc_tensor(R.shape([3]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.g(x, alloc)
        alloc1: R.Tensor((3,), dtype="float32") = R.builtin.alloc_tensor(R.shape([3]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.g(alloc, alloc1)
        alloc2: R.Tensor((3,), dtype="float32") = R.builtin.alloc_tensor(R.shape([3]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.g(alloc1, alloc2)
        cls.g(alloc2, x)
        alloc3: R.Tensor((9,), dtype="float32") = R.builtin.alloc_tensor(R.shape([9]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.h(x, alloc3)
        alloc4: R.Tensor((9,), dtype="float32") = R.builtin.alloc_tensor(R.shape([9]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.h(x, alloc4)
        cls.f(x, x, alloc3)
        return alloc4

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(a: T.Buffer((3,), "float32"), b: T.Buffer((3,), "float32"), c: T.Buffer((9,), "float32")):
        T.evaluate(0)

    @T.prim_func(private=True)
    def g(a: T.Buffer((3,), "float32"), b: T.Buffer((3,), "float32")):
        T.evaluate(0)

    @T.prim_func(private=True)
    def h(a: T.Buffer((3,), "float32"), b: T.Buffer((9,), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((9,), dtype="float32"):
        R.func_attr({"relax.force_pure": 1})
        cls = Module
        storage: R.Object = R.memory.alloc_storage(R.shape([36]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        alloc: R.Tensor((3,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([3]), R.dtype("float32"))
        cls.g(x, alloc)
        storage1: R.Object = R.memory.alloc_storage(R.shape([12]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        alloc1: R.Tensor((3,), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([3]), R.dtype("float32"))
        cls.g(alloc, alloc1)
        alloc2: R.Tensor((3,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([3]), R.dtype("float32"))
        cls.g(alloc1, alloc2)
        cls.g(alloc2, x)
        alloc3: R.Tensor((9,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([9]), R.dtype("float32"))
        cls.h(x, alloc3)
        alloc4: R.Tensor((9,), dtype="float32") = R.builtin.alloc_tensor(R.shape([9]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.h(x, alloc4)
        cls.f(x, x, alloc3)
        return alloc4
