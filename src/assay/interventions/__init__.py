"""Failures planted in reports and trajectories, and attacks on judges: what benchmarks of judges are made of."""
