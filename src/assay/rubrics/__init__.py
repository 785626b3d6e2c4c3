"""Rubrics: criteria, the scales they are on, and the formats they are read from."""
