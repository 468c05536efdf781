"""How copies that ask for it are spread over threads: `tir.LowerAutoCopy` in parts."""
