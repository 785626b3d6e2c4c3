"""Assay judges deep-research reports and agent trajectories, and puts the judges themselves on trial."""
