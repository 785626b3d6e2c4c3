"""Coherence: contradictions inside the report, terms and names that come from nowhere."""
