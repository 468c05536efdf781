"""Passes on TIR blocks: place and shrink their buffers, and lower blocks to loops."""
