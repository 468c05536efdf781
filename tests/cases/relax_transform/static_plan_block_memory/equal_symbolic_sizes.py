# pass: relax.StaticPlanBlockMemory
@I.ir_module
class Module:

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        R.func_attr({"relax.force_pure": 1})
        a_ = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        a_call = R.call_packed("f", x, a_)
        a = a_
        b_ = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        b_call = R.call_packed("f", a, b_)
        b = b_
        c_ = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        c_call = R.call_packed("f", b, c_)
        c = c_
        d_ = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        d_call = R.call_packed("f", c, d_)
        d = d_
        return d

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": 1})
        storage: R.Object = R.memory.alloc_storage(R.shape([4 * n]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a_: R.Tensor((n,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n]), R.dtype("float32"))
        a_call: R.Object = R.call_packed("f", x, a_)
        a: R.Tensor((n,), dtype="float32") = a_
        storage1: R.Object = R.memory.alloc_storage(R.shape([4 * n]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        b_: R.Tensor((n,), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([n]), R.dtype("float32"))
        b_call: R.Object = R.call_packed("f", a, b_)
        b: R.Tensor((n,), dtype="float32") = b_
        c_: R.Tensor((n,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n]), R.dtype("float32"))
        c_call: R.Object = R.call_packed("f", b, c_)
        c: R.Tensor((n,), dtype="float32") = c_
        d_: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        d_call: R.Object = R.call_packed("f", c, d_)
        d: R.Tensor((n,), dtype="float32") = d_
        return d
