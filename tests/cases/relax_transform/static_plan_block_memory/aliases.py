# pass: relax.StaticPlanBlockMemory
@I.ir_module
class Module:

    @R.function
    def main(x: R.Tensor((100,), "float32")):
        R.func_attr({"relax.force_pure": 1})
        cls = Module
        a_ = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        a_call = R.call_packed("f", x, a_)
        a = a_
        r = R.reshape(a, R.shape([10, 10]))
        d_ = R.builtin.alloc_tensor(R.shape([10, 10]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        d_call = R.call_packed("f", r, d_)
        d = d_
        t = (d, a)
        u = t[0]
        h_ = R.builtin.alloc_tensor(R.shape([10, 10]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        h_call = R.call_packed("f", d, h_)
        h = h_
        k_ = R.builtin.alloc_tensor(R.shape([10, 10]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        k_call = R.call_packed("f", h, k_)
        k = k_
        l = cls.other(k)
        m_ = R.builtin.alloc_tensor(R.shape([10, 10]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        m_call = R.call_packed("f", h, m_)
        m = m_
        o_ = R.builtin.alloc_tensor(R.shape([10, 10]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        o_call = R.call_packed("f", m, o_)
        o = o_
        return (o, l)

    @R.function
    def other(x: R.Tensor((10, 10), "float32")):
        R.func_attr({"relax.force_pure": 1})
        a_ = R.builtin.alloc_tensor(R.shape([10]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        a_call = R.call_packed("f", x, a_)
        a = a_
        b_ = R.builtin.alloc_tensor(R.shape([10]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        b_call = R.call_packed("f", a, b_)
        b = b_
        c_ = R.builtin.alloc_tensor(R.shape([10]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        c_call = R.call_packed("f", b, c_)
        c = c_
        return c

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def other(x: R.Tensor((10, 10), dtype="float32")) -> R.Tensor((10,), dtype="float32"):
        R.func_attr({"relax.force_pure": 1})
        storage2: R.Object = R.memory.alloc_storage(R.shape([40]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a_: R.Tensor((10,), dtype="float32") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([10]), R.dtype("float32"))
        a_call: R.Object = R.call_packed("f", x, a_)
        a: R.Tensor((10,), dtype="float32") = a_
        storage3: R.Object = R.memory.alloc_storage(R.shape([40]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        b_: R.Tensor((10,), dtype="float32") = R.memory.alloc_tensor(storage3, R.prim_value(0), R.shape([10]), R.dtype("float32"))
        b_call: R.Object = R.call_packed("f", a, b_)
        b: R.Tensor((10,), dtype="float32") = b_
        c_: R.Tensor((10,), dtype="float32") = R.builtin.alloc_tensor(R.shape([10]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        c_call: R.Object = R.call_packed("f", b, c_)
        c: R.Tensor((10,), dtype="float32") = c_
        return c

    @R.function
    def main(x: R.Tensor((100,), dtype="float32")) -> R.Tuple(R.Tensor((10, 10), dtype="float32"), R.Object):
        R.func_attr({"relax.force_pure": 1})
        cls = Module
        storage: R.Object = R.memory.alloc_storage(R.shape([400]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a_: R.Tensor((100,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([100]), R.dtype("float32"))
        a_call: R.Object = R.call_packed("f", x, a_)
        a: R.Tensor((100,), dtype="float32") = a_
        r: R.Tensor((10, 10), dtype="float32") = R.reshape(a, R.shape([10, 10]))
        storage1: R.Object = R.memory.alloc_storage(R.shape([400]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        d_: R.Tensor((10, 10), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([10, 10]), R.dtype("float32"))
        d_call: R.Object = R.call_packed("f", r, d_)
        d: R.Tensor((10, 10), dtype="float32") = d_
        t: R.Tuple(R.Tensor((10, 10), dtype="float32"), R.Tensor((100,), dtype="float32")) = d, a
        u: R.Tensor((10, 10), dtype="float32") = t[0]
        h_: R.Tensor((10, 10), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([10, 10]), R.dtype("float32"))
        h_call: R.Object = R.call_packed("f", d, h_)
        h: R.Tensor((10, 10), dtype="float32") = h_
        k_: R.Tensor((10, 10), dtype="float32") = R.builtin.alloc_tensor(R.shape([10, 10]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        k_call: R.Object = R.call_packed("f", h, k_)
        k: R.Tensor((10, 10), dtype="float32") = k_
        l: R.Object = cls.other(k)
        m_: R.Tensor((10, 10), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([10, 10]), R.dtype("float32"))
        m_call: R.Object = R.call_packed("f", h, m_)
        m: R.Tensor((10, 10), dtype="float32") = m_
        o_: R.Tensor((10, 10), dtype="float32") = R.builtin.alloc_tensor(R.shape([10, 10]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        o_call: R.Object = R.call_packed("f", m, o_)
        o: R.Tensor((10, 10), dtype="float32") = o_
        return (o, l)
