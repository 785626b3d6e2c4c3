"""What a model that reads finds: faults of a report or a run, each with its place, the missing link and a repair."""
