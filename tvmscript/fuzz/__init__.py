"""Fuzzers of the package itself, behind `tvmscript fuzz`.

engine    draw examples in batches, shrink failures, skip known causes
area      what a fuzzer is: a strategy, a check, a script writer; areas: the fuzzers by name
causes    deduplicate failures; scripts, construct_script: reproduction scripts
line_coverage   lines that no example reaches
programs/ writers of random programs that run
parser/ printer/ arith/ schedule/ passes/ relax/ codegen/   one fuzzer each: its generators, its laws, its area.py
"""
