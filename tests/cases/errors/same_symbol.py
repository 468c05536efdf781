@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        R.func_attr({"global_symbol": "main"})
        return x

    @R.function
    def g(x: R.Tensor((4,), "float32")):  # error: TS1106 "def g"
        R.func_attr({"global_symbol": "main"})
        return x

# output
error[TS1106]: the functions f and g have the same global symbol main
 --> <text>:9:5
  |
9 |     def g(x: R.Tensor((4,), "float32")):  # error: TS1106 "def g"
  |     ^^^^^
hint: name them differently, or make one private: @T.prim_func(private=True)
