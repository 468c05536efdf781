@T.prim_func  # error: TS2023 "T.prim_func"
class Module:
    pass

# output
error[TS2023]: Module is not decorated with @I.ir_module
 --> <text>:1:2
  |
1 | @T.prim_func  # error: TS2023 "T.prim_func"
  |  ^^^^^^^^^^^
hint: write @I.ir_module above it
