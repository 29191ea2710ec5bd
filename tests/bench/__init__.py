"""Measurements of the real product, each beside a bare comparison in the same run. Nothing here asserts a time."""
