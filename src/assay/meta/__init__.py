"""Experiments on judges: what they see, what fools them, how far they agree with people and with themselves."""
