"""Fuzzer of whole builds: default schedules, the cache of machine code, threads."""
