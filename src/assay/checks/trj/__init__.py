"""Trajectories: searches, calls, responses and the reasoning between them."""
