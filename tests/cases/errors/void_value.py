@I.ir_module
class Module:
    @T.prim_func(private=True)
    def quiet(n: T.int32):
        T.evaluate(n)

    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        A[0] = Module.quiet(1)  # error: TS1003 "Module.quiet"

# output
error[TS1003]: buffer A takes float32, but got no value
 --> <text>:9:16
  |
9 |         A[0] = Module.quiet(1)  # error: TS1003 "Module.quiet"
  |                ^^^^^^^^^^^^^^^
hint: annotate the result of the called function: def f(...) -> T.int32:
