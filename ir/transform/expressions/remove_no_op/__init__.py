"""RemoveNoOp: delete statements without effect, dead stores and redundant stores."""
