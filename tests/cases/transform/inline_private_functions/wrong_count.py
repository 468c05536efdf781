# pass: tir.InlinePrivateFunctions
# raises: WrongArgumentsOfCall
# not well formed: the call has one argument too many
@I.ir_module
class Module:
    @T.prim_func
    def main(n: T.int32):
        Module.sub(n, n)

    @T.prim_func(private=True)
    def sub(n: T.int32):
        T.call_extern("int32", "f", n)

# after
error[TS4017]: sub takes 1 arguments, but got 2
 --> <text>:5:9
  |
5 |         Module.sub(n, n)
  |         ^^^^^^^^^^^^^^^^
