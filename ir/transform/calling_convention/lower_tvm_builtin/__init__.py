"""LowerTVMBuiltin: lower packed calls to stores into argument stacks."""
