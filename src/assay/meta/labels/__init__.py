"""What people say of reports, trajectories and pairs: labels, their readers, and the subjects they are of."""
