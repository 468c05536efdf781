# from tvm.script import relax as R

@R.function(pure=False)
def main(x: R.Tensor((4,), dtype="float32")) -> R.Object:
    y: R.Object = R.call_packed("f", x, attrs_type_key="DictAttrs", b="x", mode=3, sinfo_args=(R.Object,))
    z: R.Object = R.call_packed("g", x, attrs_type_key="relax.attrs.AstypeAttrs", dtype="float16", sinfo_args=(R.Object,))
    w: R.Object = R.call_packed("h", x, mode=True, k=3, last=[False, "a"], b={"q": 1}, n=None, sinfo_args=R.Object)
    v = R.call_packed("i", x, sinfo_args=(R.Object,))
    u: R.Object = R.call_packed("j", x, attrs_type_key="relax.attrs.ToVDeviceAttrs", dst_vdevice=I.vdevice({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 1, "global"), sinfo_args=(R.Object,))
    return z
