"""Labels: what people said about reports, trajectories and pairs, read from many formats."""
