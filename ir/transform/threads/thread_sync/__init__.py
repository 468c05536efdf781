"""ThreadSync: insert barriers between conflicting accesses of threads."""
