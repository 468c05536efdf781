"""UnrollLoop: replace loops by their iterations."""
