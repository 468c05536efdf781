# pass: relax.StaticPlanBlockMemory
# differs from TVM: it uses storage of a branch after the conditional, where it may not exist
@I.ir_module
class Module:

    @R.function
    def main(x: R.Tensor((100,), "float32"), c: R.Tensor((), "bool")):
        R.func_attr({"relax.force_pure": 1})
        a_ = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        a_call = R.call_packed("f", x, a_)
        a = a_
        b_ = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        b_call = R.call_packed("f", a, b_)
        b = b_
        if c:
            d_ = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
            d_call = R.call_packed("f", b, d_)
            d = d_
            e_ = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
            e_call = R.call_packed("f", d, e_)
            e = e_
            g_ = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
            g_call = R.call_packed("f", e, g_)
            g = g_
            r = g
        else:
            p_ = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
            p_call = R.call_packed("f", x, p_)
            p = p_
            q_ = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
            q_call = R.call_packed("f", p, q_)
            q = q_
            r = q
        y_ = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        y_call = R.call_packed("f", r, y_)
        y = y_
        z_ = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        z_call = R.call_packed("f", y, z_)
        z = z_
        return z

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((100,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((100,), dtype="float32"):
        R.func_attr({"relax.force_pure": 1})
        storage: R.Object = R.memory.alloc_storage(R.shape([400]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a_: R.Tensor((100,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([100]), R.dtype("float32"))
        a_call: R.Object = R.call_packed("f", x, a_)
        a: R.Tensor((100,), dtype="float32") = a_
        b_: R.Tensor((100,), dtype="float32") = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        b_call: R.Object = R.call_packed("f", a, b_)
        b: R.Tensor((100,), dtype="float32") = b_
        if c:
            d_: R.Tensor((100,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([100]), R.dtype("float32"))
            d_call: R.Object = R.call_packed("f", b, d_)
            d: R.Tensor((100,), dtype="float32") = d_
            storage1: R.Object = R.memory.alloc_storage(R.shape([400]), R.prim_value(0), R.str("global"), R.dtype("float32"))
            e_: R.Tensor((100,), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([100]), R.dtype("float32"))
            e_call: R.Object = R.call_packed("f", d, e_)
            e: R.Tensor((100,), dtype="float32") = e_
            g_: R.Tensor((100,), dtype="float32") = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
            g_call: R.Object = R.call_packed("f", e, g_)
            g: R.Tensor((100,), dtype="float32") = g_
            r: R.Tensor((100,), dtype="float32") = g
        else:
            p_: R.Tensor((100,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([100]), R.dtype("float32"))
            p_call: R.Object = R.call_packed("f", x, p_)
            p: R.Tensor((100,), dtype="float32") = p_
            q_: R.Tensor((100,), dtype="float32") = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
            q_call: R.Object = R.call_packed("f", p, q_)
            q: R.Tensor((100,), dtype="float32") = q_
            r: R.Tensor((100,), dtype="float32") = q
        y_: R.Tensor((100,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([100]), R.dtype("float32"))
        y_call: R.Object = R.call_packed("f", r, y_)
        y: R.Tensor((100,), dtype="float32") = y_
        z_: R.Tensor((100,), dtype="float32") = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        z_call: R.Object = R.call_packed("f", y, z_)
        z: R.Tensor((100,), dtype="float32") = z_
        return z
