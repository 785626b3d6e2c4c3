"""The argument inside a report: its graph, how it is found, what it measures."""
