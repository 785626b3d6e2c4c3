"""What is judged: reports and trajectories, every part of which knows its place in the source."""
