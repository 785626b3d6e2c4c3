"""Failures put into reports and trajectories on purpose, and attacks on judges: what judges are tried on."""
