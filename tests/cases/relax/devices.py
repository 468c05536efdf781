@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"kind": "cuda", "arch": "sm_80"}), I.vdevice("metal"), I.vdevice({"kind": "cuda", "arch": "sm_75"}, 1)]})

    @R.function
    def main(a: R.Tensor((8,), "float32", "cuda:1"), b: R.Tensor(dtype="float32", ndim=1, vdevice="metal")):
        c = R.to_vdevice(b, "cuda:1")
        return R.to_vdevice(R.add(a, c), dst_vdevice="metal:0")
