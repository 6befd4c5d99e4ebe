"""Words of time to spans."""
