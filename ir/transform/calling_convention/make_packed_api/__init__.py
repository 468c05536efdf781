"""MakePackedAPI: give host functions the packed calling convention, with checks of the arguments."""
