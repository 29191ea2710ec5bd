"""Small helpers of a web shop."""
