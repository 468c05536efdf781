"""Native code through LLVM (llvmlite)."""
