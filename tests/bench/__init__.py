"""How fast is it? Benchmarks, run by `python3 dev.py bench`; never part of the tests."""
