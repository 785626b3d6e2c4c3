"""Assay inside other libraries: scorers for Inspect AI."""
