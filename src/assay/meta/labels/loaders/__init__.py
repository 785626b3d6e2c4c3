"""Readers of labels in foreign formats: one file per format, each with a module-level ``LOADER``."""
