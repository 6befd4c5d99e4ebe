"""The machine itself: its clock."""
