"""Groups of bindings: the graph of a dataflow block, its partition, the functions that groups become."""
