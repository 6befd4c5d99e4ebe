"""Claims to facts to a change set: pure code, no I/O, no clock, no model."""
