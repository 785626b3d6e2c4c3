"""The ten failures of the way to an answer: an operator on trajectories a module."""
