"""Elicitation strategies: how a verdict is asked for. One file each, its template beside it."""
