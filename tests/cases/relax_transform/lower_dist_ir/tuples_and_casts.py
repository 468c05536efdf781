# pass: relax.distributed.LowerDistIR
# differs from TVM: it lowers neither tuples nor casts
# Tuples of tensors, sharded or not; a cast; calls and functions that nothing of is distributed.
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def plain(x: R.Tensor((4,), "float32")):
        y = R.add(x, x)
        return y

    @R.function
    def main(p: R.Tuple(R.DTensor((8, 6), "float32", "mesh[0]", "S[1]"), R.Tensor((4,), "float32"), R.DTensor((8,), "float32", "mesh[0]", "R")), t: R.Tensor((4,), "float32")):
        cls = Module
        a = p[0]
        b = R.match_cast(a, R.DTensor((8, 6), "float32", "mesh[0]", "S[1]"))
        c = p[1]
        d = R.exp(c)
        e = cls.plain(t)
        return (b, d, e)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def plain(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        y: R.Tensor((4,), dtype="float32") = R.add(x, x)
        return y

    @R.function
    def main(p: R.Tuple(R.Tensor((8, 6), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((8,), dtype="float32")), t: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((8, 3), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
        cls = Module
        gv: R.Tensor((8, 6), dtype="float32") = p[0]
        gv1: R.Tensor((8, 3), dtype="float32") = R.ccl.scatter_from_worker0(gv, num_workers=2, axis=1)
        gv2: R.Tensor((4,), dtype="float32") = p[1]
        gv3: R.Tensor((8,), dtype="float32") = p[2]
        gv4: R.Tensor((8,), dtype="float32") = R.ccl.broadcast_from_worker0(gv3)
        gv5: R.Tuple(R.Tensor((8, 3), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((8,), dtype="float32")) = gv1, gv2, gv4
        a: R.Tensor((8, 3), dtype="float32") = gv5[0]
        b: R.Tensor((8, 3), dtype="float32") = R.match_cast(a, R.Tensor((8, 3), dtype="float32"))
        c: R.Tensor((4,), dtype="float32") = gv5[1]
        d: R.Tensor((4,), dtype="float32") = R.exp(c)
        e: R.Tensor((4,), dtype="float32") = cls.plain(t)
        return (b, d, e)
