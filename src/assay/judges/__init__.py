"""Judges: those that ask a model, the rules judge that needs none, and the baselines that every judge must beat."""
