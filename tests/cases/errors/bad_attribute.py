@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.func_attr({"a": T.block})  # error: TS1010 "{"
    A[0] = 1.0

# output
error[TS1010]: <T.block(name: str = '', no_realize: bool = False) -> Scope> cannot be the value of an attribute
 --> <text>:3:17
  |
3 |     T.func_attr({"a": T.block})  # error: TS1010 "{"
  |                 ^^^^^^^^^^^^^^
hint: attributes are numbers, strings, None, expressions, and lists and dicts of these
