"""Loaders of label formats, one module for each format with a module-level ``LOADER``."""
