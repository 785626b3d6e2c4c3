"""Judges bound together: the rules judge, which needs no model, and the baselines every judge must beat."""
