# pass: relax.LowerAllocTensor
@I.ir_module
class Module:

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        R.func_attr({"relax.force_pure": 1})
        a_ = R.builtin.alloc_tensor(R.shape([n, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        a_call = R.call_packed("f", x, a_)
        a = a_
        b_ = R.builtin.alloc_tensor(R.shape([3]), R.dtype("int8"), R.prim_value(0), R.str("global"))
        b_call = R.call_packed("f", a, b_)
        b = b_
        c_ = R.builtin.alloc_tensor(R.shape([5]), R.dtype("bool"), R.prim_value(0), R.str("global"))
        c_call = R.call_packed("f", b, c_)
        c = c_
        return (a, c)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor((5,), dtype="bool")):
        n = T.int64()
        R.func_attr({"relax.force_pure": 1})
        storage: R.Object = R.memory.alloc_storage(R.shape([4 * n * 4]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        a_: R.Tensor((n, 4), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n, 4]), R.dtype("float32"))
        a_call: R.Object = R.call_packed("f", x, a_)
        a: R.Tensor((n, 4), dtype="float32") = a_
        storage1: R.Object = R.memory.alloc_storage(R.shape([3]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        b_: R.Tensor((3,), dtype="int8") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([3]), R.dtype("int8"))
        b_call: R.Object = R.call_packed("f", a, b_)
        b: R.Tensor((3,), dtype="int8") = b_
        storage2: R.Object = R.memory.alloc_storage(R.shape([5]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        c_: R.Tensor((5,), dtype="bool") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([5]), R.dtype("bool"))
        c_call: R.Object = R.call_packed("f", b, c_)
        c: R.Tensor((5,), dtype="bool") = c_
        return (a, c)
