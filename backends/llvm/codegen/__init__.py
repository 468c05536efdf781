"""Code generation: TIR expressions and statements to LLVM assembly, one rule function a node class or operator."""
