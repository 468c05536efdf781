@I.ir_module
class Module:
    @T.prim_func
    def f(n: T.int32):
        T.func_attr({"global_symbol": "main"})
        T.evaluate(n)

    @T.prim_func
    def g(n: T.int32):  # error: TS1106 "def g"
        T.func_attr({"global_symbol": "main"})
        T.evaluate(n)

# output
error[TS1106]: the functions f and g have the same global symbol main
 --> <text>:9:5
  |
9 |     def g(n: T.int32):  # error: TS1106 "def g"
  |     ^^^^^
hint: name them differently, or make one private: @T.prim_func(private=True)
