"""The rules, on small ints: typed Python compiled by mypyc, with no I/O, no clock and no global randomness."""
