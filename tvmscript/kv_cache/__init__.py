"""The paged KV cache of attention, TVM's `vm.builtin.paged_attention_kv_cache_*`.

pages.py      pages of sequences: growth, forks, copies on writing
kernels.py    compiled kernels; device_kernels.py: those for CUDA devices
cache.py      `PagedKVCache`
builtins.py   the functions that graphs call
"""
