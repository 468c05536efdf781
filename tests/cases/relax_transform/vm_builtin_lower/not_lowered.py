# pass: relax.VMBuiltinLower
# raises: NotLoweredBefore
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        R.func_attr({"relax.force_pure": 1})
        y = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        return y

# after
error[TS4230]: relax.VMBuiltinLower cannot lower R.builtin.alloc_tensor: run relax.LowerAllocTensor before
 --> <text>:6:13
  |
6 |         y = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
  |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
