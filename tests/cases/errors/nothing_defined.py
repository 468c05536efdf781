# error: TS2002 "#"
N = 16

# output
error[TS2002]: the text defines neither a function nor a module
 --> <text>:1:1
  |
1 | # error: TS2002 "#"
  | ^
hint: define a function under @T.prim_func or a class under @I.ir_module
