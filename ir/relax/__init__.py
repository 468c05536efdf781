"""The graph level: whole models as functions over tensors, with what is known of every value (struct info)."""
