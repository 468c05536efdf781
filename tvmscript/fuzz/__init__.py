"""Looking for bugs of the package with random programs: `tvmscript fuzz`.

`area`: what an area is: a strategy, a check, and how an example is written as a script. One file for each of them.
`causes`: which failures are one bug.
`engine`: draws examples by the batch, shrinks what fails, passes over what is known.
`construct_script`: a program as Python that makes it, node by node: also of programs that the printer gets wrong.
`scripts`: the scripts of failures.
"""
