"""A judge of one's own: examples from teachers and planted failures, rewards, and training by TRL."""
