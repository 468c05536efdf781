@I.ir_module
class Module:
    @T.prim_func
    def f(n: T.int32):
        T.evaluate(n)

    @T.prim_func
    def f(n: T.int32):  # error: TS2008 "def f"
        T.evaluate(n)

# output
error[TS2008]: f is already defined in this scope
 --> <text>:8:5
  |
8 |     def f(n: T.int32):  # error: TS2008 "def f"
  |     ^^^^^
hint: rename one of them
