"""The ten failures on the way to an answer, one operator on trajectories per module."""
