"""Experiments on judges: what they detect, what fools them, and how far they agree with people and with themselves."""
