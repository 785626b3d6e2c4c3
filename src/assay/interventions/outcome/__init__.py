"""The seven failures of the answer itself, one operator on reports per module."""
