"""Leaderboards of research agents, from verdicts on pairs of what they wrote."""
