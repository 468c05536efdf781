# pass: tir.LowerDeviceKernelLaunch
# differs from TVM: the oracle does not read calls of what is not there
# raises: UnknownCallee
# not well formed: the function that is called is not there
@T.prim_func
def main(n: T.int32):
    T.func_attr({"target": T.target("c")})
    T.Call("void", I.GlobalVar("kernel"), [n])

# after
error[TS4062]: kernel is called, but is not a function of the module
 --> <text>:4:5
  |
4 |     T.Call("void", I.GlobalVar("kernel"), [n])
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
