"""The seven failures of the answer itself: an operator on reports a module."""
