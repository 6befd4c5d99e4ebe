"""Frozen values: the words of graphmem. Standard library only, no I/O, no clock."""
