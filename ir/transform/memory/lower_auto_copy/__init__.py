"""LowerAutoCopy: lower copies between memory scopes to vectorized, coalesced loops."""
