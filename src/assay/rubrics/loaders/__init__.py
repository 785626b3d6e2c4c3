"""Readers of tasks and rubrics in foreign formats: one file per format, each with a module-level ``LOADER``."""
