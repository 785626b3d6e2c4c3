"""What is judged: reports and trajectories. Every part has a span in the source."""
