@I.ir_module
class Module:
    I.module_attrs({"device_num": 10})
    I.module_global_infos({"m2": [R.dist.device_mesh((1,), [3])], "mesh": [R.device_mesh((2, 2), I.Range(0, 4)), R.device_mesh((1,), [4]), R.device_mesh((2, 2), [0, 3, 1, 2])]})

    @T.prim_func
    def k(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)

    @R.function
    def kinds(x: R.dist.DTensor((128, 128), "float32", "mesh[0]", "S[0], R"), y: R.DTensor(("n", 4), "float16", "m2[0]", "R"), z: R.DTensor(ndim=2, dtype="int8", device_mesh="mesh[1]", placement="R"), w: R.DTensor(device_mesh="mesh[1]", placement="R", ndim=3), v: R.DTensor((4,), device_mesh="mesh[2]", placement="R, S[0]")):
        c = R.dist.const(1.0, R.DTensor((), "float32", "mesh[1]", "R"))
        return c

    @R.function
    def calls(x: R.DTensor((4, 8), "float32", "mesh[0]", "S[0], R")) -> R.DTensor((4, 8), "float32", "mesh[0]", "S[1], R"):
        cls = Module
        y = R.dist.call_tir(cls.k, (x,), R.DTensor((4, 8), "float32", "mesh[0]", "S[0], R"))
        z = R.dist.call_tir_local_view(cls.k, (y,), R.DTensor((4, 8), "float32", "mesh[0]", "S[0], R"))
        a = R.exp(R.add(z, y))
        b = R.dist.annotate_sharding(a, device_mesh="mesh[0]", placement="S[1],R")
        return R.dist.redistribute(b, "mesh[0]", "S[1], R")
