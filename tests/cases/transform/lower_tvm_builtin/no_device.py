# pass: tir.LowerTVMBuiltin
# raises: UnknownDevice
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    B = T.allocate([1024], "float32", "global")
    T.evaluate(T.isnullptr(B))

# after
error[TS4067]: B requires a device, but there is no enclosing attribute device_id
 --> <text>:4:9
  |
4 |     B = T.allocate([1024], "float32", "global")
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
