"""What the engine needs from outside: one protocol a file, the docstring is the contract."""
