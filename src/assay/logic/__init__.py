"""The argument of a report: its graph, how the graph is built, and what is measured on it."""
