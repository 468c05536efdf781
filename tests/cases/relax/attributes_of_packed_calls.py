# from tvm.script import relax as R

@R.function(pure=False)
def main(x: R.Tensor((4,), dtype="float32")) -> R.Object:
    y: R.Object = R.call_packed("f", x, attrs_type_key="DictAttrs", b="x", mode=3, sinfo_args=(R.Object,))
    z: R.Object = R.call_packed("g", x, attrs_type_key="relax.attrs.AstypeAttrs", dtype="float16", sinfo_args=(R.Object,))
    return z
