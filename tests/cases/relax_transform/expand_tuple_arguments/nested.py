# pass: relax.ExpandTupleArguments
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), t: R.Tuple(R.Tensor((4,), "float32"), R.Tuple(R.Tensor((8,), "float32")))):
        cls = Module
        y = cls.f(x, t)
        z = cls.f(x, (t[0], (t[1][0],)))
        return (y, z)

    @R.function(private=True)
    def f(x: R.Tensor((4, 8), "float32"), t: R.Tuple(R.Tensor((4,), "float32"), R.Tuple(R.Tensor((8,), "float32")))):
        u = t[1]
        v = u[0]
        w = R.add(x, v)
        v1 = t[0]
        z = R.add(v1, v1)
        u1 = (w, z)
        return u1

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((4, 8), dtype="float32"), t_0: R.Tensor((4,), dtype="float32"), t_1_0: R.Tensor((8,), dtype="float32")) -> R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((4,), dtype="float32")):
        w: R.Tensor((4, 8), dtype="float32") = R.add(x, t_1_0)
        z: R.Tensor((4,), dtype="float32") = R.add(t_0, t_0)
        u1: R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((4,), dtype="float32")) = w, z
        return u1

    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32"), t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tuple(R.Tensor((8,), dtype="float32")))) -> R.Tuple(R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((4,), dtype="float32")), R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((4,), dtype="float32"))):
        cls = Module
        gv: R.Tensor((4,), dtype="float32") = t[0]
        gv1: R.Tuple(R.Tensor((8,), dtype="float32")) = t[1]
        gv2: R.Tensor((8,), dtype="float32") = gv1[0]
        y: R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((4,), dtype="float32")) = cls.f(x, gv, gv2)
        gv1_1: R.Tensor((4,), dtype="float32") = t[0]
        gv2_1: R.Tuple(R.Tensor((8,), dtype="float32")) = t[1]
        gv3: R.Tensor((8,), dtype="float32") = gv2_1[0]
        z: R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((4,), dtype="float32")) = cls.f(x, gv1_1, gv3)
        return (y, z)
