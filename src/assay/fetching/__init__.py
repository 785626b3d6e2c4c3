"""Fetching cited sources politely and safely, and keeping what came as snapshots."""
