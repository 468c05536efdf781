# pass: relax.distributed.PropagateSharding
# raises: NotOnMesh
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 8), "float32"), w: R.Tensor((8, 8), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[1]")
        return (a, w)

# after
error[TS4241]: w is on no device mesh: no annotation reaches it
 --> <text>:5:46
  |
5 |     def main(x: R.Tensor((8, 8), "float32"), w: R.Tensor((8, 8), "float32")):
  |                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
hint: annotate it with R.dist.annotate_sharding
